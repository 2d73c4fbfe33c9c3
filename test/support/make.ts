import { hashSecret } from '@/auth/hashing'
import { TOKEN_PREFIX } from '@/auth/identify'
import { openSession } from '@/auth/sessions'
import { checkedSecret, randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { personalTokens } from '@/db/tables/credentials'
import { users } from '@/db/tables/users'

export type MadeUser = typeof users.$inferSelect

/** A person nobody else in the run knows. */
export async function makeUser(fields: Partial<typeof users.$inferInsert> = {}): Promise<MadeUser> {
  const unique = randomHex(6)
  const [row] = await db
    .insert(users)
    .values({
      id: newId(),
      name: `Person ${unique}`,
      username: `person-${unique}`,
      email: `${unique}@example.org`,
      ...fields,
    })
    .returning()
  return row as MadeUser
}

export async function makeToken(
  userId: string,
  scopes: Scope[],
  fields: Partial<typeof personalTokens.$inferInsert> = {},
) {
  const token = checkedSecret(TOKEN_PREFIX)
  const id = newId()
  await db.insert(personalTokens).values({
    id,
    userId,
    name: 'test',
    hash: hashSecret(token),
    prefix: token.slice(0, 15),
    scopes,
    ...fields,
  })
  return { id, token }
}

export const makeSession = (userId: string) => openSession(db, userId, 'test browser')

/** A person with a token, which is what most tests begin with. */
export async function makeCaller(
  scopes: Scope[] = ['user'],
  fields: Partial<typeof users.$inferInsert> = {},
) {
  const user = await makeUser(fields)
  return { user, ...(await makeToken(user.id, scopes)) }
}
