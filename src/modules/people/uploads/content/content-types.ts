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

/** All browsers show these and execute nothing in them. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

export const MODEL_TYPE = 'model/gltf-binary'

export const CONTENT_TYPES = [...PICTURE_TYPES, MODEL_TYPE, 'application/octet-stream'] as const

export type PictureType = (typeof PICTURE_TYPES)[number]
export type ContentType = (typeof CONTENT_TYPES)[number]

export const isPictureType = (type: string): type is PictureType =>
  (PICTURE_TYPES as readonly string[]).includes(type)

/** File extensions, including those of generated sizes. */
export const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'model/gltf-binary': 'glb',
}
/** For image types that are not supported, such as HEIC from phones. */
export const SAVE_AS = 'save it as JPEG, PNG, GIF or WebP and send that'

/** For models that consist of several files. */
export const EXPORT_AS = 'export it as one .glb file'
/** Widths that pages request; each is scaled from the previous one. */
export const WIDTHS = [1280, 640, 320, 160, 64] as const
