import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { databaseUrl, poolFigures } from '@/db/client'
import { namesIn } from '@/http/borrower'
import { type Answer, get, patch, post } from '../support/api'
import { makeCaller, makeEvent, makeGroup } from '../support/make'
import { until } from '../support/processes'
import { routes } from '../support/routes'

const REQUESTS = 30

let outside: postgres.Sql
beforeAll(() => {
  outside = postgres(databaseUrl(), { max: 1, onnotice: () => {} })
})
afterAll(() => outside.end())

const requestPool = () =>
  poolFigures().find(({ name }) => name === 'requests') as ReturnType<typeof poolFigures>[0]
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]

/** Sends requests that wait for a row which another session has locked, and reads by other people meanwhile. */
async function besideLock(
  share: number,
  lock: (tx: postgres.TransactionSql) => Promise<unknown>,
  send: (index: number) => Promise<Answer>,
) {
  const others = await Promise.all(Array.from({ length: 12 }, () => makeCaller()))
  let sent: Promise<Answer>[] = []
  let read: Answer[] = []
  await outside.begin(async (tx) => {
    await lock(tx)
    sent = Array.from({ length: REQUESTS }, (_, index) => send(index))
    await until('all of them wait, a few of them with a connection', () => {
      const { busy, waitingForShare } = requestPool()
      return busy === share && waitingForShare === REQUESTS - share
    })
    read = await Promise.all(others.map(({ token }) => get('/v1/profile/tokens', { token })))
  })
  return { sent: await Promise.all(sent), read }
}

describe('requests that wait for a locked row', () => {
  test('of one member hold a share of the connections, and other members are answered', async () => {
    const { user, token } = await makeCaller()
    const { sent, read } = await besideLock(
      3,
      (tx) => tx`select 1 from users where id = ${user.id} for update`,
      (index) => patch('/v1/profile', { token, json: { bio: `Bio ${index}` } }),
    )
    expect(statuses(read)).toEqual([200])
    expect(statuses(sent)).toContain(200)
  })

  test('of many members for one event hold a share of the connections, and other members are answered', async () => {
    const event = await makeEvent((await makeGroup()).id)
    const members = await Promise.all(Array.from({ length: REQUESTS }, () => makeCaller(['write:events'])))
    const { sent, read } = await besideLock(
      2,
      (tx) => tx`select 1 from events where id = ${event.id} for update`,
      (index) => {
        // The same id in another spelling is the same event.
        const id = index % 2 === 0 ? event.id : event.id.toUpperCase()
        return post(`/v1/events/${id}/rsvp`, { token: members[index]?.token as string })
      },
    )
    expect(statuses(read)).toEqual([200])
    expect(statuses(sent)).toContain(201)
  })

  test('of one address, for pages that are not cached, hold a share of the connections', async () => {
    const { sent, read } = await besideLock(
      3,
      (tx) => tx`lock table groups in access exclusive mode`,
      (index) => get(`/groups?search=shares${index}`, { headers: { 'x-forwarded-for': '198.51.100.99' } }),
    )
    expect(statuses(read)).toEqual([200])
    expect(statuses(sent)).toContain(200)
  })
})

test('every change is within the share of each thing that its path names', () => {
  const changes = routes.filter(({ binding }) => binding !== undefined && !binding.action.reads)
  const missing = changes.flatMap(({ pattern, binding }) =>
    [...pattern.matchAll(/:(\w+)/g)]
      .map(([, name]) => name as string)
      .filter(
        (name) =>
          !['provider', 'stepKey'].includes(name) && !namesIn(binding?.action as never).includes(name),
      )
      .map((name) => `${pattern}: ${name}`),
  )
  expect(changes.length).toBeGreaterThan(60)
  expect(missing).toEqual([])
})
