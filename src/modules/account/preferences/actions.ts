import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { unauthorized } from '@/core/errors'
import { line, nullable, oneOf, optional } from '@/core/fields'
import { orNull } from '@/core/shapes'
import { demandTimeZone } from '@/core/time-zones'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { isLanguage, LANGUAGES } from '@/words/language'
import { findPreferences, updatePreferencesOf } from './queries'

const Preferences = Type.Object(
  {
    language: orNull(oneOf(LANGUAGES)),
    timeZone: orNull(Type.String()),
  },
  { $id: 'Preferences', description: 'Language and time zone of your emails.' },
)
type Preferences = Static<typeof Preferences>

const UpdatePreferencesRequest = Type.Object(
  {
    language: optional(nullable(oneOf(LANGUAGES))),
    timeZone: optional(nullable(line(1, 64, { description: 'An IANA name such as Europe/Lisbon.' }))),
  },
  { $id: 'UpdatePreferencesRequest' },
)

export const readPreferences = action({
  name: 'readPreferences',
  access: 'user',
  reads: true,
  summary: 'Read the language and time zone of your emails',
  input: Type.Object({}),
  output: Preferences,
  run: async ({ userId }) => shown(await findPreferences(db, userId)),
})

export const updatePreferences = action({
  name: 'updatePreferences',
  access: 'user',
  summary: 'Change the language and time zone of your emails',
  description:
    'Omitted fields stay unchanged. A null language is set from your browser at the next sign-in; a null time zone means UTC.',
  input: UpdatePreferencesRequest,
  output: Preferences,
  run: ({ userId }, { timeZone, ...change }) =>
    transaction(async (tx) => {
      const zone = typeof timeZone === 'string' ? demandTimeZone('timeZone', timeZone) : timeZone
      const chosen = shown(await updatePreferencesOf(tx, userId, { ...change, timeZone: zone }))
      // Only invalidates caches of the person, so it is no domain event.
      broadcast(tx, { type: 'user.seen', data: { userId } })
      return chosen
    }),
})

/** A cached credential may briefly outlive a deleted account. */
function shown(found: { language: string | null; timeZone: string | null } | undefined): Preferences {
  if (found === undefined) throw unauthorized(true)
  const { language, timeZone } = found
  return { language: language !== null && isLanguage(language) ? language : null, timeZone }
}
