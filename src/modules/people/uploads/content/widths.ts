/** Widths that pages request; each is scaled from the previous one. */
export const WIDTHS = [1280, 640, 320, 160, 64] as const
