import type { ContentType } from './content-types'

/** A finished file, in scratch. */
export type Made = { path: string; contentType: string; size: number; sha256: string }

/**
 * What the check of an upload came to. `sizes` holds up to two files for each width: first one in the picture's own
 * type, then one in a type that newer browsers prefer, each if that is worth it. An animated GIF moves only in the second:
 * its first is a still.
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

/** What was declared when the upload was requested. */
export type Declared = { contentType: string; size: number }

/** What the child process is asked: a file to check, and paths at which it may write. */
export type Order = { path: string; declared: Declared; scratch: string[] }

/** What it answers: a finding, or the code of an error that is not the file's fault, such as a full disk. */
export type Answer = Finding | { ok: null; code: string }
