import { expect, test } from 'bun:test'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeEvent, makeGroup } from '../../../support/make'

/** An event with one seat, whose group is unlisted after some have answered. */
async function unlist() {
  const admin = await makeAdmin()
  const owner = await makeCaller(['write:events', 'manage:checkins'])
  const group = await makeGroup({}, owner.user.id)
  const event = await makeEvent(group.id, { maxAttendees: 1, onlineUrl: 'https://example.org/room' })
  const [gone, seated, waiting, stranger] = [
    await makeCaller(['write:events']),
    await makeCaller(['write:events']),
    await makeCaller(['write:events']),
    await makeCaller(['write:events']),
  ]
  const path = `/v1/events/${event.id}`
  for (const { token } of [gone, seated, waiting])
    expect((await post(`${path}/rsvp`, { token })).status).toBe(201)
  expect((await del(`${path}/rsvp`, { token: gone.token })).status).toBe(200)
  const hidden = await patch(`/v1/admin/groups/${group.id}`, {
    token: admin.token,
    json: { isListed: false },
  })
  expect(hidden.status).toBe(200)
  return { admin, owner, group, event, path, gone, seated, waiting, stranger }
}

const listed = async (token: string, query = '') =>
  (await get(`/v1/me/rsvps${query}`, { token })).body.data.map(
    ({ eventId, status }: Record<string, string>) => [eventId, status],
  )

test('a seat, or a place in line, keeps its event in sight when the group is unlisted', async () => {
  const { event, path, seated, waiting } = await unlist()
  for (const [{ token }, status, onlineUrl] of [
    [seated, 'confirmed', 'https://example.org/room'],
    [waiting, 'waitlisted', null],
  ] as const) {
    expect((await get(path, { token })).body.data).toMatchObject({ id: event.id, onlineUrl })
    expect((await get(`${path}/rsvp`, { token })).body.data.rsvp).toMatchObject({ status })
    expect((await get(`${path}/rsvp-summary`, { token })).body.data).toMatchObject({ total: 2 })
    expect((await get(`${path}/attendees`, { token })).body.data).toHaveLength(1)
    expect(await listed(token)).toEqual([[event.id, status]])
    expect((await post(`${path}/rsvp`, { token })).status).toBe(409)
  }
})

test('a confirmed guest of an unlisted group checks in and cancels; then the event is hidden', async () => {
  const { group, event, path, owner, seated, waiting } = await unlist()
  const codes = `/v1/manage/groups/${group.id}/events/${event.id}/checkin-codes`
  const made = await post(codes, { token: owner.token, json: {} })
  const checkedIn = await post(`/v1/checkin/${made.body.data.code}`, { token: seated.token, json: {} })
  expect([made.status, checkedIn.status]).toEqual([201, 201])
  expect((await del(`${path}/rsvp`, { token: seated.token })).status).toBe(200)
  expect((await get(`${path}/rsvp`, { token: waiting.token })).body.data.rsvp.status).toBe('confirmed')
  for (const answer of [
    await get(path, { token: seated.token }),
    await del(`${path}/rsvp`, { token: seated.token }),
    await post(`${path}/rsvp`, { token: seated.token }),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  expect(await listed(seated.token)).toEqual([])
})

test('what is 404 to a person is in none of their lists, and the same 404 as what never was', async () => {
  const { event, path, gone, stranger, owner, admin } = await unlist()
  const never = path.replace(event.id, Bun.randomUUIDv7())
  for (const { token } of [gone, stranger]) {
    for (const query of ['', '?status=cancelled', '?when=upcoming', '?limit=1'])
      expect(await listed(token, query)).toEqual([])
    for (const part of ['', '/rsvp', '/rsvp-summary', '/attendees']) {
      const [there, nowhere] = [await get(path + part, { token }), await get(never + part, { token })]
      expect([there.status, there.text]).toEqual([404, nowhere.text])
    }
    for (const act of [post, del]) {
      const [there, nowhere] = [await act(`${path}/rsvp`, { token }), await act(`${never}/rsvp`, { token })]
      expect([there.status, there.text]).toEqual([404, nowhere.text])
    }
  }
  // Staff and administrators may take a seat and leave it: they see the event anyway.
  for (const { token } of [owner, admin]) {
    expect((await post(`${path}/rsvp`, { token })).status).toBe(201)
    expect((await del(`${path}/rsvp`, { token })).status).toBe(200)
    expect(await listed(token)).toEqual([[event.id, 'cancelled']])
    expect((await get(path, { token })).status).toBe(200)
  }
})
