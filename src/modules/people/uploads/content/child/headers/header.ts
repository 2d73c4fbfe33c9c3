/** Read from the file header, before decoding. */
export type Header = { width: number; height: number; frames: number; isLossless?: boolean }
