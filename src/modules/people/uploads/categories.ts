import type { Static } from '@sinclair/typebox'
import { inWords, oneOf } from '@/core/fields'
import { CONTENT_TYPES, type ContentType, EXPORT_AS, PICTURE_TYPES, SAVE_AS } from './content/content-types'

/** Allowed types per category. */
const TYPES_OF = {
  avatar: PICTURE_TYPES,
  'app-logo': PICTURE_TYPES,
  media: CONTENT_TYPES,
  hero: PICTURE_TYPES,
  'group-photo': PICTURE_TYPES,
  'event-photo': PICTURE_TYPES,
  'meetpass-image': PICTURE_TYPES,
  'meetpass-model': ['model/gltf-binary'],
} as const satisfies Record<string, readonly ContentType[]>

export type Category = keyof typeof TYPES_OF

export const CATEGORIES = Object.keys(TYPES_OF) as Category[]

export const category = () => oneOf(CATEGORIES as [Category, ...Category[]])
export const contentType = () => inWords(oneOf(CONTENT_TYPES), typesFor)

const FOR_PICTURES = `must be ${PICTURE_TYPES.slice(0, -1).join(', ')} or ${PICTURE_TYPES.at(-1)} for a picture`
const FOR_MODELS = 'model/gltf-binary for a model'

/** Browsers declare the real type, so a wrong declaration usually means a wrong file. */
function typesFor(given: unknown): string {
  const type = typeof given === 'string' ? given : ''
  if (/^image\//i.test(type)) return `${FOR_PICTURES}: ${SAVE_AS}`
  if (/^model\//i.test(type)) return `must be ${FOR_MODELS}: ${EXPORT_AS}`
  return `${FOR_PICTURES}, ${FOR_MODELS}, or application/octet-stream for any other file`
}

export type Declared = { category: Static<ReturnType<typeof category>>; contentType: ContentType }

/** The allowed types, if the declared one is not among them. */
export const otherTypes = ({ category, contentType }: Declared): readonly ContentType[] | undefined =>
  (TYPES_OF[category] as readonly ContentType[]).includes(contentType) ? undefined : TYPES_OF[category]
