import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
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

/** Another token, for somebody who is there. */
export async function giveToken(databaseUrl: string, userId: string, scopes = ['user']): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const token = checkedSecret('fm_pat_')
  await sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
    values (${Bun.randomUUIDv7()}, ${userId}, 'given', ${Buffer.from(hashSecret(token))}, ${token.slice(0, 15)}, ${scopes})`
  await sql.end()
  return token
}

export const seedToken = async (databaseUrl: string) =>
  ((await seedPeople(databaseUrl, 1))[0] as Seeded).token

/** A published event in a group with an owner, in that other database. */
export async function seedEvent(databaseUrl: string, { maxAttendees = null as number | null } = {}) {
  const [owner] = (await seedPeople(databaseUrl, 1, [
    'manage:events',
    'manage:groups',
    'manage:checkins',
  ])) as [Seeded]
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const [groupId, eventId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  const urlname = `seeded-${randomHex(5)}`
  await sql`insert into groups (id, urlname, name) values (${groupId}, ${urlname}, ${urlname})`
  await sql`insert into group_members (id, group_id, user_id, role) values (${Bun.randomUUIDv7()}, ${groupId}, ${owner.id}, 'owner')`
  await sql`insert into events (id, group_id, title, start_time, end_time, over_at, timezone, status, max_attendees)
    values (${eventId}, ${groupId}, 'Seeded', now() + interval '1 hour', now() + interval '3 hours', now() + interval '3 hours', 'UTC', 'published', ${maxAttendees})`
  await sql.end()
  return { groupId, eventId, urlname, owner }
}
