import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { differences } from '../modules/recognition/leaderboards/sums'
import { ownDatabase, startServer, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'

const HOLDERS = 20_000

test('a badge that 20,000 people hold can be given other points, be hidden and shown, and be deleted', async () => {
  const databaseUrl = await ownDatabase()
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const [admin] = (await seedPeople(databaseUrl, 1, ['admin'])) as [Seeded]
  await sql`update users set role = 'admin' where id = ${admin.id}`
  await sql`
    insert into users (id, name, username, profile_visibility, suspended_at)
    select gen_random_uuid(), 'Person ' || n, 'person-' || n,
      case n % 7 when 0 then 'private' else 'public' end, case n % 11 when 0 then now() end
    from generate_series(1, ${HOLDERS}::int) n`
  const badge = Bun.randomUUIDv7()
  await sql`insert into badges (id, name, slug, icon, color, points)
    values (${badge}, 'Everyone', 'everyone', '🏅', '#123456', 5)`
  await sql`insert into badge_awards (id, badge_id, user_id, source)
    select gen_random_uuid(), ${badge}, id, 'achievement' from users where id <> ${admin.id}`
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const send = async (method: string, json?: unknown) =>
    (
      await fetch(`${server.url}/v1/admin/badges/${badge}`, {
        method,
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
    ).status
  const scores = async () =>
    (
      await sql`select xp, badge_count, count(*)::int as people from users where id <> ${admin.id} group by 1, 2`
    ).map(({ xp, badge_count, people }) => [xp, badge_count, people])
  const wrong = () => differences((statement) => sql.unsafe(statement))
  const settled = () =>
    until('all awards follow', async () => (await sql`select 1 from unsettled_badges`).length === 0, 60_000)

  expect(await send('PATCH', { points: 12 })).toBe(200)
  await settled()
  expect([await scores(), await wrong()]).toEqual([[[12, 1, HOLDERS]], {}])
  expect(await send('PATCH', { hidden: true })).toBe(200)
  await settled()
  expect([await scores(), await wrong()]).toEqual([[[0, 0, HOLDERS]], {}])
  expect(await send('PATCH', { hidden: false, points: 3 })).toBe(200)
  await settled()
  expect([await scores(), await wrong()]).toEqual([[[3, 1, HOLDERS]], {}])
  expect(await send('DELETE')).toBe(204)
  await settled()
  expect([await scores(), await wrong()]).toEqual([[[0, 0, HOLDERS]], {}])
  await server.stop()
  await sql.end()
}, 180_000)
