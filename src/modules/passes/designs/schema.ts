import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, optional, pattern, themeColor, webUrl } from '@/core/fields'
import { orNull, wireTime } from '@/core/shapes'

export const PassDesign = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    imageUrl: orNull(Type.String()),
    modelUrl: orNull(Type.String()),
    themeColor: orNull(Type.String()),
    createdAt: wireTime(),
  },
  { $id: 'PassDesign' },
)
export type PassDesign = Static<typeof PassDesign>

export const NewPassDesign = Type.Object({
  id: pattern(
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    1,
    60,
    'must be 1 to 60 lower-case letters and digits, with hyphens between them',
  ),
  name: line(1, 60),
  imageUrl: optional(nullable(webUrl())),
  modelUrl: optional(nullable(webUrl())),
  themeColor: optional(nullable(themeColor())),
})
