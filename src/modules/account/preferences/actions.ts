import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { unauthorized } from '@/core/errors'
import { demandTimeZone } from '@/core/time-zones'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { isLanguage } from '@/words/language'
import { findPreferences, updatePreferencesOf } from './queries'
import { Preferences, UpdatePreferencesRequest } from './schema'

export const readPreferences = action({
  name: 'readPreferences',
  access: 'user',
  reads: true,
  summary: 'Read in which language and by whose clocks you are written to',
  input: Type.Object({}),
  output: Preferences,
  run: async ({ userId }) => shown(await findPreferences(db, userId)),
})

export const updatePreferences = action({
  name: 'updatePreferences',
  access: 'user',
  summary: 'Choose in which language and by whose clocks you are written to',
  description:
    'What is left out stays as it is. Without a language it is that of the browser with which you next sign in; without a time zone, UTC.',
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
