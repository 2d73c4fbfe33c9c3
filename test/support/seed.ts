import postgres from 'postgres'
import { hashSecret } from '@/auth/hashing'
import { checkedSecret, randomHex } from '@/core/codes'

export type Seeded = { id: string; username: string; token: string }

/** People with a token each, in a database that is not this process's own. */
export async function seedPeople(databaseUrl: string, count: number, scopes = ['user']): Promise<Seeded[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const people = Array.from({ length: count }, () => ({
    id: Bun.randomUUIDv7(),
    username: `seeded-${randomHex(5)}`,
    token: checkedSecret('fm_pat_'),
  }))
  await sql`insert into users ${sql(people.map(({ id, username }) => ({ id, username, name: username })))}`
  for (const { id, token } of people)
    await sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
      values (${Bun.randomUUIDv7()}, ${id}, 'seeded', ${Buffer.from(hashSecret(token))}, ${token.slice(0, 15)}, ${scopes})`
  await sql.end()
  return people
}

export const seedToken = async (databaseUrl: string) =>
  ((await seedPeople(databaseUrl, 1))[0] as Seeded).token
