/** For image types that are not supported, such as HEIC from phones. */
export const SAVE_AS = 'save it as JPEG, PNG, GIF or WebP and send that'

/** For models that consist of several files. */
export const EXPORT_AS = 'export it as one .glb file'
