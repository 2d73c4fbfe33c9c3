import type { Static } from '@sinclair/typebox'
import { oneOf } from '@/core/fields'
import { CONTENT_TYPES, type ContentType, PICTURE_TYPES } from './content/content-types'

/** What a file is for, and what it may be for that. */
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
export const contentType = () => oneOf(CONTENT_TYPES)

export type Declared = { category: Static<ReturnType<typeof category>>; contentType: ContentType }

/** The types that a category takes, if the declared one is not among them. */
export const otherTypes = ({ category, contentType }: Declared): readonly ContentType[] | undefined =>
  (TYPES_OF[category] as readonly ContentType[]).includes(contentType) ? undefined : TYPES_OF[category]
