import type { ContentType } from './content-types'

/** A file in scratch space. */
export type Made = { path: string; contentType: string; size: number; sha256: string }

/**
 * The result of a check. `sizes` holds up to two files per width: the original type, then a modern one, each if worthwhile. For an
 * animated GIF the first is a still and only the second is animated.
 */
export type Finding =
  | {
      ok: true
      type: ContentType
      main: Made
      sizes: (Made & { width: number })[]
      width: number | null
      height: number | null
    }
  | { ok: false; reason: string }

/** Declared with the upload request. */
export type Declared = { contentType: string; size: number }

/** A message to the child: a file to check, and paths for its output. */
export type Order = { path: string; declared: Declared; scratch: string[] }

/** `code` is an error that is not the file's fault, such as ENOSPC. */
export type Answer = Finding | { ok: null; code: string }
