import { afterEach, beforeEach, expect, test } from 'bun:test'
import postgres from 'postgres'
import { del } from '../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'

/** More than one statement deletes in its time. */
const MANY = 300_000

let server: ServerProcess
let sql: postgres.Sql
let admin: Seeded
let person: Seeded
beforeEach(async () => {
  const databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  ;[admin, person] = (await seedPeople(databaseUrl, 2, ['admin', 'manage:groups'])) as [Seeded, Seeded]
  await sql`update users set role = 'admin' where id = ${admin.id}`
  server = await startServer({ DATABASE_URL: databaseUrl })
}, 60_000)
afterEach(async () => {
  await server.stop()
  await sql.end()
})

const addGroup = async () => {
  const id = Bun.randomUUIDv7()
  await sql`insert into groups (id, urlname, name) values (${id}, 'crowded', 'Crowded')`
  await sql`insert into group_members (id, group_id, user_id, role)
    values (${Bun.randomUUIDv7()}, ${id}, ${person.id}, 'owner')`
  return id
}

test('an account with 300,000 webhook messages is deleted; a refused deletion deletes none', async () => {
  const group = await addGroup()
  const hook = Bun.randomUUIDv7()
  await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
    values (${hook}, ${person.id}, 'https://receiver.example/', '{*}', '{user}', '\\x00')`
  await sql`
    with told as (
      insert into webhook_messages (id, webhook_id, fact_id, event_type, body, status, attempts, created_at)
      select gen_random_uuid(), ${hook}, gen_random_uuid(), 'user.updated', '{}', 'succeeded', 1,
        now() - n / 7000 * interval '1 minute'
      from generate_series(1, ${MANY}::int) n returning id
    )
    insert into webhook_attempts (id, message_id, webhook_id, attempt, status_code, success, duration_ms, attempted_at)
    select gen_random_uuid(), id, ${hook}, 1, 200, true, 5, now() from told`
  // As autovacuum does for a table that grows; without statistics, each batch would read and sort all messages.
  await sql`analyze webhook_messages, webhook_attempts`
  const left = async () =>
    Object.values(
      (
        await sql`select (select count(*)::int from webhooks) as webhooks,
          (select count(*)::int from webhook_messages) as messages,
          (select count(*)::int from webhook_attempts) as attempts`
      )[0] ?? {},
    )
  const remove = () => del(`/v1/admin/users/${person.id}`, { base: server.url, token: admin.token })
  const refused = await sql.begin(async (tx) => {
    // Deleting the messages would wait for this lock.
    await tx`select 1 from webhook_messages limit 1 for update`
    return (await remove()).status
  })
  expect([refused, await left()]).toEqual([409, [1, MANY, MANY]])
  await sql`delete from groups where id = ${group}`
  expect([(await remove()).status, await left()]).toEqual([204, [0, 0, 0]])
}, 180_000)
