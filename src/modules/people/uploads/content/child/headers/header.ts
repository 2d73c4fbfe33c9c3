/** What the header of a picture says of it, before anything is decoded. */
export type Header = { width: number; height: number; frames: number; isLossless?: boolean }
