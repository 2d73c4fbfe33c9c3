/** Widths in which pages ask for pictures, each made from the one before. */
export const WIDTHS = [1280, 640, 320, 160, 64] as const
