/** Run as a process of its own on a filled database: asks for everything, runs every sweep and job, and tells what PostgreSQL did. */
import { writeFileSync } from 'node:fs'
import { inputsOf, type Values } from '../inputs'
import { planReader, type Ran } from './plans'

export type Step = { name: string; status: number | string; ms: number; ran: Ran[] }

const [logFile, out] = process.argv.slice(2) as [string, string]
const { startApi } = await import('@/processes/start-api')
const running = await startApi(process.env.DATABASE_URL as string)
const { db } = await import('@/db/client')
const { sql } = await import('drizzle-orm')
const { routes } = await import('../routes')
const { makeSession, makeToken } = await import('../make')
const { SCOPE_NAMES } = await import('@/core/scopes')
const { dropCaches } = await import('@/outbox/bus')
const { schedules } = await import('@/areas')
const { sweeps } = await import('@/areas')
const { countMovers } = await import('@/modules/recognition/leaderboards/movers/count')

const read = planReader(logFile)
const steps: Step[] = []

async function step(name: string, run: () => Promise<number | string>) {
  dropCaches()
  read()
  const began = performance.now()
  const status = await run().catch((error: Error) => String(error))
  const ms = performance.now() - began
  // The backend writes the plan after it has answered.
  await db.execute(sql`select 1`)
  steps.push({ name, status, ms, ran: read().filter(({ text }) => text !== 'select 1') })
}

const found = async (text: string) => (await db.execute<{ found: string }>(sql.raw(text)))[0]?.found as string
const star = await found(`select id as found from users where username = 'member-1'`)
const group = await found(`select id as found from groups where urlname = 'group-1'`)
const event = await found(`select id as found from events where title like 'Event 1 about %'`)
const badge = await found(`select id as found from badges where slug = 'badge-1'`)
const badgeOfGroup = await found(`select id as found from badges where slug = 'group-badge-1'`)
await db.execute(sql`update users set role = 'admin' where id = ${star}`)
await db.execute(sql`
  insert into group_members (id, group_id, user_id, role) values (gen_random_uuid(), ${group}, ${star}, 'owner')
  on conflict (group_id, user_id) do update set role = 'owner'`)
// As a worker leaves it where many moved.
await countMovers({ liveMax: 0 })
const { token } = await makeToken(star, [...SCOPE_NAMES])
const session = await makeSession(star)

const values: Values = {
  username: ['member-1'],
  slug: ['group-1'],
  groupId: [group],
  eventId: [event],
  badgeId: [badgeOfGroup],
  group: ['group-1'],
  tag: ['tag-7'],
  city: ['Osaka'],
  badge: ['badge-1', 'badge-9,badge-17'],
  search: ['ad', 'anna', 'Member', 'nobody-has-this-name', 'дмитрий', '美咲'],
  offset: [10_000],
  actor: ['member-10'],
  action: ['user.role'],
  from: [new Date(Date.now() - 86_400_000).toISOString()],
  to: [new Date().toISOString()],
  featured: ['true', 'false'],
}

const ask = async (path: string, headers: Record<string, string>, method = 'GET', json?: unknown) => {
  const answer = await fetch(running.url + path, {
    method,
    headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const filled = (pattern: string, input: Record<string, unknown>) =>
  pattern
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(input[name] ?? 'sample')))
    .replace(/\*$/, 'sample')

for (const { method, pattern, binding } of routes) {
  if (method !== 'GET') continue
  const names = pattern.includes('badges/:slug') ? { ...values, slug: ['badge-1'] } : values
  if (binding)
    for (const input of inputsOf(binding.action, names)) {
      const query = new URLSearchParams(
        Object.entries(input).flatMap(([name, value]): [string, string][] =>
          pattern.includes(`:${name}`) ? [] : [[name, String(value)]],
        ),
      )
      const path = `${filled(pattern, input)}?${query}`
      await step(`GET ${path}`, () => ask(path, { authorization: `Bearer ${token}` }))
    }
  else {
    const path = filled(
      pattern,
      Object.fromEntries(Object.entries(names).map(([name, [value]]) => [name, value])),
    )
    await step(`GET ${path}`, () => ask(path, { cookie: `session=${session}` }))
  }
}
const PAGES = [
  '/events?search=nobody-has-this-name',
  '/events?search=about',
  '/people?search=nobody-has-this-name',
  '/people?search=ann',
  '/groups?search=about',
  '/leaderboard?period=week',
  '/leaderboard?period=month',
  '/leaderboard?group=group-1',
  '/leaderboard?offset=500000',
  '/admin/users?search=nobody-has-this-name',
  '/feeds/groups/group-1.ics',
  '/widget/next-event?groups=group-1',
  '/widget/carousel?groups=group-1',
]
for (const path of PAGES) await step(`GET ${path}`, () => ask(path, { cookie: `session=${session}` }))
const done = (run: () => Promise<void>) => () => run().then(() => 'done')
for (const { name, run } of sweeps) await step(`sweep ${name}`, done(run))
for (const { name, run } of schedules) await step(`schedule ${name}`, done(run))

// With most holders, guests and followers of all.
const bearer = { authorization: `Bearer ${token}` }
const seats = Number(await found(`select max_attendees as found from events where id = '${event}'`))
const ofGroup = `/v1/manage/groups/${group}`
const CHANGES: [string, string, unknown?][] = [
  ['PATCH', `/v1/admin/badges/${badge}`, { points: 40 }],
  ['PATCH', `/v1/admin/badges/${badge}`, { hidden: true }],
  ['PATCH', `${ofGroup}/events/${event}`, { maxAttendees: Math.round(seats * 1.4) }],
  ['PATCH', '/v1/profile', { profileVisibility: 'private' }],
  ['DELETE', `/v1/admin/badges/${badge}`],
]
for (const [method, path, json] of CHANGES)
  await step(`${method} ${path}`, () => ask(path, bearer, method, json))
// A group with guests to come cannot be deleted.
await db.execute(
  sql`update events set status = 'cancelled' where group_id = ${group} and status = 'published'`,
)
const deletion = `${ofGroup}?confirm=group-1`
await step(`DELETE ${deletion}`, () => ask(deletion, bearer, 'DELETE'))
// What they left to the background ends before the sweeps look again.
await Bun.sleep(Number(process.env.SETTLE_MS ?? 2000))
for (const { name, run } of sweeps) await step(`later sweep ${name}`, done(run))

writeFileSync(out, JSON.stringify(steps))
process.exit(0)
