/** Types that a picture may have: browsers show these four and run nothing in them. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Types that an upload may have. */
export const CONTENT_TYPES = [...PICTURE_TYPES, 'model/gltf-binary', 'application/octet-stream'] as const

export type PictureType = (typeof PICTURE_TYPES)[number]
export type ContentType = (typeof CONTENT_TYPES)[number]

export const isPictureType = (type: string): type is PictureType =>
  (PICTURE_TYPES as readonly string[]).includes(type)
