import { describe, expect, test } from 'bun:test'
import { config } from '@/config/config'
import { get, patch, post } from '../../../../support/api'
import { ownFeed } from '../../../../support/feeds'
import { makeAdmin, makeCaller, makeEvent, makeStaffedGroup } from '../../../../support/make'
import { inHours } from '../../../../support/time'
import { subscriber } from './subscriber'

/** A calendar app that has subscribed to a group with two events. */
async function stage() {
  const { group, manager } = await makeStaffedGroup(['manage:events'])
  const event = await makeEvent(group.id, { title: 'First title', startTime: inHours(30) })
  const other = await makeEvent(group.id, { startTime: inHours(40) })
  const { poll, entries } = subscriber(`/feeds/groups/${group.urlname}.ics`)
  const path = `/v1/manage/groups/${group.id}/events/${event.id}`
  const change = (json: object) => patch(path, { token: manager.token, json })
  const cancel = (reason: string) => post(`${path}/cancel`, { token: manager.token, json: { reason } })
  const uid = `${event.id}@${new URL(config.baseUrl).host}`
  const entry = () => entries.get(uid)
  expect((await poll())?.sort()).toEqual([`added ${event.id}`, `added ${other.id}`].sort())
  return { group, event, other, poll, entries, entry, change, cancel }
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

describe('A calendar app that has subscribed', () => {
  test('hears of nothing when nothing happened', async () => {
    const { poll } = await stage()
    expect(await poll()).toBeNull()
    expect(await poll()).toBeNull()
  })

  test('moves an event that was rescheduled, and only that', async () => {
    const { poll, entry, change, event } = await stage()
    const before = entry()
    const [start, end] = [inHours(50), inHours(53)]
    await change({ startTime: start.toISOString(), endTime: end.toISOString() })
    expect(await poll()).toEqual([`updated ${event.id}`])
    expect(entry()).toMatchObject({ start: seconds(start), sequence: (before?.sequence ?? 0) + 1 })
    await change({ timezone: 'Asia/Tokyo' })
    expect(await poll()).toEqual([`updated ${event.id}`])
    expect(entry()).toMatchObject({ start: seconds(start), sequence: (before?.sequence ?? 0) + 2 })
    expect(await poll()).toBeNull()
  })

  test('shows a new title without being told that the event has moved', async () => {
    const { poll, entry, change, event } = await stage()
    const before = entry()
    await change({ title: 'Second title' })
    expect(await poll()).toEqual([`updated ${event.id}`])
    expect(entry()?.summary).toBe('Second title')
    expect(entry()?.sequence).toBe(before?.sequence as number)
    expect(entry()?.stamp).toBeGreaterThanOrEqual(before?.stamp as number)
  })

  test('keeps an event that was cancelled, and says so', async () => {
    const { poll, entry, cancel, event } = await stage()
    const before = entry()
    await cancel('The roof leaks.')
    expect(await poll()).toEqual([`updated ${event.id}`])
    expect(entry()).toMatchObject({
      status: 'CANCELLED',
      transparency: 'TRANSPARENT',
      start: before?.start as number,
      sequence: (before?.sequence ?? 0) + 1,
      description: expect.stringMatching(/^Cancelled: The roof leaks\.\n\n/),
    })
  })

  test('loses an event that was taken back, and the whole calendar with a group that is no longer listed', async () => {
    const { poll, entries, change, event, group } = await stage()
    await change({ status: 'draft' })
    expect(await poll()).toEqual([`removed ${event.id}`])
    expect(entries.size).toBe(1)
    const all = subscriber(`/feeds/events.ics?group=${group.urlname}`)
    expect(await all.poll()).toHaveLength(1)
    const { token } = await makeAdmin()
    await patch(`/v1/admin/groups/${group.id}`, { token, json: { isListed: false } })
    expect((await all.poll())?.[0]).toStartWith('removed ')
    expect(all.entries.size).toBe(0)
    expect((await get(`/feeds/groups/${group.urlname}.ics`)).status).toBe(404)
  })

  test('follows the answers of its owner', async () => {
    const { group, manager } = await makeStaffedGroup(['manage:events'])
    const event = await makeEvent(group.id, { onlineUrl: 'https://meet.example/x', startTime: inHours(30) })
    const person = await makeCaller(['user', 'read:events', 'write:events', 'write:favorites'])
    const [one, two] = [
      subscriber(await ownFeed(person.token, 'ics')),
      subscriber(`/feeds/groups/${group.urlname}.ics`),
    ]
    await one.poll()
    const own = () => one.entries.values().next().value
    await post(`/v1/favorites/${group.urlname}`, { token: person.token })
    expect(await one.poll()).toEqual([`added ${event.id}`])
    expect(own()).toMatchObject({ status: 'CONFIRMED', transparency: 'TRANSPARENT' })
    expect(own()?.description).not.toContain('meet.example')
    await post(`/v1/events/${event.id}/rsvp`, { token: person.token, json: {} })
    expect(await one.poll()).toEqual([`updated ${event.id}`])
    expect(own()).toMatchObject({ status: 'CONFIRMED', transparency: 'OPAQUE' })
    expect(own()?.description).toContain('Online: https://meet.example/x')
    expect(own()?.conference).toBe('https://meet.example/x')
    await patch(`/v1/manage/groups/${group.id}/events/${event.id}`, {
      token: manager.token,
      json: { startTime: inHours(31).toISOString(), endTime: null },
    })
    expect(await one.poll()).toEqual([`updated ${event.id}`])
    // The same entry in the feed for everybody, by the same name, without what only its guests may know.
    await two.poll()
    const shown = two.entries.get(own()?.uid as string)
    expect([shown?.description.includes('meet.example'), shown?.conference]).toEqual([false, null])
  })
})
