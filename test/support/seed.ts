import postgres from 'postgres'
import { hashSecret } from '@/auth/hashing'
import { checkedSecret } from '@/core/codes'

/** A person with a token in a database that is not this process's own. */
export async function seedToken(databaseUrl: string, scopes = ['user']): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const [userId, token] = [Bun.randomUUIDv7(), checkedSecret('fm_pat_')]
  await sql`insert into users (id, name) values (${userId}, 'Seeded')`
  await sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
    values (${Bun.randomUUIDv7()}, ${userId}, 'seeded', ${Buffer.from(hashSecret(token))}, ${token.slice(0, 15)}, ${scopes})`
  await sql.end()
  return token
}
