import { describe, expect, test } from 'bun:test'
import { del, get, post } from '../support/api'
import { makeCaller, makeEvent, makeGroup, makeSession, makeUser } from '../support/make'
import { statementsOf } from '../support/statements'

/** The token of a page's forms, without the mask before it, which changes with time. */
function tokenIn(text: string) {
  const field = Buffer.from(/name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '', 'hex')
  const [mask, masked] = [field.subarray(0, field.length / 2), field.subarray(field.length / 2)]
  return Buffer.from(masked.map((byte, i) => byte ^ (mask[i] as number))).toString('hex')
}

async function world() {
  const group = await makeGroup()
  const event = await makeEvent(group.id, { maxAttendees: 1 })
  const first = await makeCaller(['write:events'])
  const waiting = await makeCaller(['write:events'])
  const path = `/events/${event.id}`
  const rsvp = (token: string) => post(`/v1/events/${event.id}/rsvp`, { token, json: {} })
  return { event, first, waiting, path, rsvp, session: await makeSession(waiting.user.id) }
}

describe('a page that anyone may read', () => {
  test('is the same bytes for all strangers, and asks the database for none of them', async () => {
    const { path } = await world()
    const one = await get(path)
    const again = await get(path, { headers: { cookie: 'visitor=somebody' } })
    expect([one.status, again.text]).toEqual([200, one.text])
    expect(one.headers.get('cache-control')).toBe('public, no-cache')
    expect(one.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
    const known = { 'if-none-match': one.headers.get('etag') as string }
    expect((await get(path, { headers: known })).status).toBe(304)
    expect(await statementsOf(() => get(path))).toBe(0)
  })

  test('tells a person their own part, in which what others do is seen at once', async () => {
    const { first, waiting, path, rsvp, session, event } = await world()
    const before = await get(path, { session })
    expect([before.headers.get('cache-control'), before.text === (await get(path)).text]).toEqual([
      'no-store',
      false,
    ])
    await rsvp(first.token)
    await rsvp(waiting.token)
    const inLine = await get(path, { session })
    expect(inLine.text).not.toBe(before.text)
    // Kept: the same once more, without a question.
    expect(await statementsOf(() => get(path, { session }))).toBe(0)
    expect((await get(path, { session })).text).toBe(inLine.text)
    await del(`/v1/events/${event.id}/rsvp`, { token: first.token })
    expect((await get(path, { session })).text).not.toBe(inLine.text)
  })

  test('gives each session its own form token and personal parts', async () => {
    const { path, session, waiting } = await world()
    const other = await makeSession(waiting.user.id)
    const somebody = await makeSession((await makeUser()).id)
    const tokens = [session, other, somebody, session].map(async (one) =>
      tokenIn((await get(path, { session: one })).text),
    )
    const [mine, mineElsewhere, theirs, mineAgain] = await Promise.all(tokens)
    expect(new Set([mine, mineElsewhere, theirs]).size).toBe(3)
    expect([mineAgain, mine?.length]).toEqual([mine, 64])
    expect((await get(path)).text).not.toContain('csrf')
  })
})
