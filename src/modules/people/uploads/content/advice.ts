/** What to do with a picture of a type that is not taken, as phones make them. */
export const SAVE_AS = 'save it as JPEG, PNG, GIF or WebP and send that'

/** What to do with a model that is spread over several files. */
export const EXPORT_AS = 'export it as one .glb file'
