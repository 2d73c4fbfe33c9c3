import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, oneOf, optional } from '@/core/fields'
import { orNull } from '@/core/shapes'
import { LANGUAGES } from '@/words/language'

export const Preferences = Type.Object(
  {
    language: orNull(oneOf(LANGUAGES)),
    timeZone: orNull(Type.String()),
  },
  { $id: 'Preferences', description: 'How you are written to: in which language, and by whose clocks.' },
)
export type Preferences = Static<typeof Preferences>

export const UpdatePreferencesRequest = Type.Object(
  {
    language: optional(nullable(oneOf(LANGUAGES))),
    timeZone: optional(nullable(line(1, 64, { description: 'An IANA name such as Europe/Lisbon.' }))),
  },
  { $id: 'UpdatePreferencesRequest' },
)
