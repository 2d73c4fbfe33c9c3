import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { patched } from '@/db/rows'
import { users } from '@/db/tables/users'
import type { Language } from '@/words/language'

const columns = { language: users.language, timeZone: users.timeZone }

export const findPreferences = async (db: Db, userId: string) =>
  (await db.select(columns).from(users).where(eq(users.id, userId)))[0]

export const updatePreferencesOf = async (
  tx: Tx,
  userId: string,
  change: { language?: Language | null; timeZone?: string | null },
) =>
  (
    await tx
      .update(users)
      .set(patched(users, ['language', 'timeZone'], change))
      .where(eq(users.id, userId))
      .returning(columns)
  )[0]

/** Sets the language if it is unset. */
export const fillLanguage = (tx: Tx, userId: string, language: Language) =>
  tx
    .update(users)
    .set({ language })
    .where(and(eq(users.id, userId), isNull(users.language)))
    .execute()
