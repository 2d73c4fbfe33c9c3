import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { checkins } from '@/db/tables/events'
import { noticesArea } from '@/modules/gatherings/notices/area'
import { HOUR_MS, later } from '../../../support/time'
import { makeGuest, stage } from './fixtures'

const MINUTE_MS = 60_000

/** Noon in some days, where the day before is the middle of the day too. */
const noonIn = (days: number) => new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + (days - 0.5) * DAY_MS)

const START = noonIn(5)

const remind = async () => {
  for (const { run } of noticesArea.schedules) await run()
}

/** Does something so many hours before an event begins. */
const before = <T>(hours: number, work: () => Promise<T>, start = START) =>
  later(start.getTime() - hours * HOUR_MS - Date.now(), work)

/** Somebody who answered days ago, and what the schedule has for them as the time comes. */
async function expecting(event: object = {}, person: object = {}) {
  const staged = await stage({
    event: { title: 'Bread', startTime: START, endTime: null, timezone: 'Etc/UTC', ...event },
  })
  const guest = await makeGuest(staged.event.id, person)
  await guest.rsvp()
  await guest.mails()
  const reminders = async () =>
    (await guest.mails()).filter(({ text }) => text.includes('/unsubscribe/eventReminder.'))
  return { ...staged, guest, reminders }
}

describe('A reminder', () => {
  test('comes a day before, once, to those with a seat', async () => {
    const { reminders } = await expecting()
    await before(40, remind)
    await before(29, remind)
    await before(28, remind)
    expect(await before(24.1, reminders)).toEqual([])
    const [mail, ...others] = await before(23.9, reminders)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Tomorrow, 12:00: “Bread”')
    expect(mail?.calendar?.method).toBe('REQUEST')
    await before(20, remind)
    expect(await before(1, reminders)).toHaveLength(1)
  })

  test.each([
    ['in the evening where it is late the day before', 'Etc/GMT-10', 25.5],
    ['in the morning where it is early', 'Etc/GMT+6', 22],
  ])('comes %s', async (_, timeZone, hours) => {
    const { reminders } = await expecting({}, { timeZone })
    await before(30, remind)
    expect(await before(hours + 0.1, reminders)).toEqual([])
    const [mail] = await before(hours - 0.1, reminders)
    expect(mail?.subject).toMatch(/^Tomorrow, /)
    expect(mail?.text).toContain('In your time: ')
  })

  test('comes at the new time of an event that was moved, and not at the old one', async () => {
    const { change, reminders } = await expecting()
    await before(29, remind)
    const later = new Date(START.getTime() + 2 * DAY_MS)
    await before(28, () => change({ startTime: later.toISOString() }))
    expect(await before(23, reminders)).toEqual([])
    await before(20, reminders)
    await before(29, remind, later)
    expect(await before(23.9, reminders, later)).toHaveLength(1)
  })

  test('is not sent for cancelled events, cancelled RSVPs or after check-in', async () => {
    const [cancelled, givenUp, attended] = [await expecting(), await expecting(), await expecting()]
    await before(29, remind)
    await cancelled.cancel()
    await givenUp.guest.giveUp()
    const { event, guest } = attended
    await db
      .insert(checkins)
      .values({ id: newId(), eventId: event.id, userId: guest.user.id, method: 'manual' })
    for (const { reminders } of [cancelled, givenUp, attended])
      expect(await before(23, reminders)).toEqual([])
  })

  test('is not sent to people with an RSVP of the last day or a recent notice', async () => {
    const soon = new Date(Date.now() + 20 * HOUR_MS)
    const { reminders } = await expecting({ startTime: soon })
    await remind()
    // As a worker does it, hour by hour: in a night the letter would be due in the morning.
    for (let hours = 0; hours < 19; hours += 1) expect(await later(hours * HOUR_MS, reminders)).toEqual([])
    // One that was far away, and is soon.
    const far = await expecting()
    const near = new Date(Date.now() + 2 * DAY_MS)
    const atMove = 2 * DAY_MS - 20 * HOUR_MS
    await later(atMove, async () => {
      await far.change({ startTime: near.toISOString() })
      await far.guest.mails()
    })
    await later(atMove + 5 * MINUTE_MS, far.guest.mails)
    await later(atMove + 6 * MINUTE_MS, remind)
    expect(await later(atMove + 8 * HOUR_MS, far.reminders)).toEqual([])
  })
})
