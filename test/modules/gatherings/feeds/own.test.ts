import { describe, expect, test } from 'bun:test'
import { del, type get, patch, post } from '../../../support/api'
import { idsIn, ownFeed, readFeed } from '../../../support/feeds'
import { makeAdmin, makeCaller, makeEvent, makeGroup } from '../../../support/make'
import { inHours } from '../../../support/time'

const SCOPES = ['user', 'read:events', 'write:events', 'read:favorites', 'write:favorites'] as const
const person = () => makeCaller([...SCOPES])

const itemOf = (answer: Awaited<ReturnType<typeof get>>, id: string) =>
  answer.body.items.find((item: { id: string }) => item.id.endsWith(id))

describe("a person's own feed", () => {
  test('shows favorites and answers, and what was hidden from others', async () => {
    const { token } = await person()
    const [liked, other, hidden] = [
      await makeGroup(),
      await makeGroup(),
      await makeGroup({ isListed: false }),
    ]
    const favorite = await makeEvent(liked.id)
    const seat = await makeEvent(other.id, { onlineUrl: 'https://meet.example/secret' })
    const waiting = await makeEvent(other.id, { maxAttendees: 1, onlineUrl: 'https://meet.example/later' })
    const unlisted = await makeEvent(hidden.id)
    await makeEvent(other.id)
    await post(`/v1/events/${waiting.id}/rsvp`, { token: (await person()).token, json: {} })
    await post(`/v1/favorites/${liked.urlname}`, { token })
    for (const { id } of [seat, waiting]) await post(`/v1/events/${id}/rsvp`, { token, json: {} })
    const path = await ownFeed(token)
    const answer = await readFeed(path)
    expect(idsIn(answer)).toEqual([favorite, seat, waiting].map(({ id }) => id).sort())
    expect(idsIn(answer)).not.toContain(unlisted.id)
    expect(answer.text).toContain('https://meet.example/secret')
    expect(answer.text).not.toContain('https://meet.example/later')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=300')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect((await readFeed(`/feeds/groups/${other.urlname}.json`)).text).not.toContain('meet.example')

    // Taken back: the seat is gone from it, the favorite stays.
    await del(`/v1/events/${seat.id}/rsvp`, { token })
    expect(idsIn(await readFeed(path))).toEqual([favorite, waiting].map(({ id }) => id).sort())
    await del(`/v1/favorites/${liked.urlname}`, { token })
    expect(idsIn(await readFeed(path))).toEqual([waiting.id])
    expect(itemOf(await readFeed(path), waiting.id)).toBeDefined()
  })

  test('is empty, and a feed all the same, for somebody new', async () => {
    const path = await ownFeed((await person()).token)
    const answer = await readFeed(path)
    expect([answer.status, idsIn(answer)]).toEqual([200, []])
    const known = await readFeed(path, { 'if-none-match': answer.headers.get('etag') as string })
    expect(known.status).toBe(304)
  })

  test('shows no event of an unlisted group but to those with a seat', async () => {
    const { token } = await person()
    const admin = await makeAdmin()
    const group = await makeGroup()
    const [seat, favorite] = [await makeEvent(group.id), await makeEvent(group.id, { startTime: inHours(5) })]
    await post(`/v1/favorites/${group.urlname}`, { token })
    await post(`/v1/events/${seat.id}/rsvp`, { token, json: {} })
    const path = await ownFeed(token)
    expect(idsIn(await readFeed(path))).toEqual([seat.id, favorite.id].sort())
    const hide = await patch(`/v1/admin/groups/${group.id}`, {
      token: admin.token,
      json: { isListed: false },
    })
    expect(hide.status).toBeLessThan(300)
    expect(idsIn(await readFeed(path))).toEqual([seat.id])
  })

  test('ends with its token, with a suspension, and with the account', async () => {
    const { token, user } = await person()
    const path = await ownFeed(token)
    expect((await readFeed(path)).status).toBe(200)
    await post('/v1/profile/feed-token/rotate', { token })
    const dead = await readFeed(path, { 'if-none-match': '*' })
    expect([dead.status, dead.body.code]).toEqual([404, 'not_found'])
    const next = await ownFeed(token)
    expect(next).not.toBe(path)
    expect((await readFeed(next)).body.feed_url).toBe(`http://localhost${next}`)
    const admin = await makeAdmin()
    const suspend = (suspended: boolean) =>
      patch(`/v1/admin/users/${user.id}`, { token: admin.token, json: { suspended } })
    await suspend(true)
    expect((await readFeed(next)).status).toBe(404)
    await suspend(false)
    expect((await readFeed(next)).status).toBe(200)
    await del(`/v1/admin/users/${user.id}`, { token: admin.token })
    expect((await readFeed(next)).status).toBe(404)
  })
})
