import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY_MS } from '@/core/clock'
import { db } from '@/db/client'
import { groups } from '@/db/tables/groups'
import { readCalendar } from '../../../support/rfc5545/calendar'
import { HOUR_MS, later } from '../../../support/time'
import { type EventMail, makeGuest, readInvitation, stage } from './fixtures'

const MINUTE_MS = 60_000

const subjects = (mails: EventMail[]) => mails.map(({ subject }) => subject)

describe('Whoever is promoted from the waitlist', () => {
  test('gets a letter with an entry, once', async () => {
    const { event } = await stage({ event: { title: 'Full house', maxAttendees: 1 } })
    const [first, second] = [await makeGuest(event.id), await makeGuest(event.id)]
    await first.rsvp()
    await second.rsvp()
    expect(await second.mails()).toEqual([])
    await first.giveUp()
    const mails = await second.mails()
    expect(subjects(mails)).toEqual(['You have a spot at “Full house”'])
    expect(mails[0]?.text).toContain('/unsubscribe/waitlistPromoted.')
    expect(readInvitation(mails[0] as EventMail)).toMatchObject({ method: 'REQUEST', sequence: 1 })
  })

  test('hears nothing if they gave the seat up before the letter went', async () => {
    const { event } = await stage({ event: { maxAttendees: 1 } })
    const [first, second] = [await makeGuest(event.id), await makeGuest(event.id)]
    await first.rsvp()
    await second.rsvp()
    await first.giveUp()
    await second.giveUp()
    expect(await second.mails()).toEqual([])
  })
})

describe('Whoever gives up a seat', () => {
  test('has the entry taken out of the calendar, by a later revision that does not call the event off', async () => {
    const { event } = await stage({ event: { title: 'Bread' } })
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    const [confirmed] = await guest.mails()
    await guest.giveUp()
    await guest.mails()
    const mails = await later(3 * MINUTE_MS, guest.mails)
    expect(subjects(mails)).toEqual(['You are going to “Bread”', 'You gave up your spot at “Bread”'])
    const [on, off] = [confirmed, mails[1]].map((mail) => readInvitation(mail as EventMail))
    expect(off).toMatchObject({ method: 'CANCEL', uid: on?.uid as string, status: null })
    expect(off?.sequence).toBeGreaterThan(on?.sequence as number)
    readCalendar(mails[1]?.calendar?.text as string)
  })

  test('hears nothing of a place in line, of which no calendar has an entry', async () => {
    const { event } = await stage({ event: { maxAttendees: 1 } })
    const [first, second] = [await makeGuest(event.id), await makeGuest(event.id)]
    await first.rsvp()
    await second.rsvp()
    await second.giveUp()
    await second.mails()
    expect(await later(HOUR_MS, second.mails)).toEqual([])
  })

  test('in a group that is not listed may not know of its events any more, and hears nothing of them', async () => {
    const { event, group } = await stage()
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    expect(await guest.mails()).toHaveLength(1)
    await db.update(groups).set({ isListed: false }).where(eq(groups.id, group.id))
    await guest.giveUp()
    await guest.mails()
    expect(await later(HOUR_MS, guest.mails)).toHaveLength(1)
  })
})

test('Whoever cannot make up their mind gets few letters, and the last says what holds', async () => {
  const { event } = await stage({ event: { title: 'To and fro' } })
  const guest = await makeGuest(event.id)
  const had: string[] = []
  // Every minute for two hours.
  for (let minute = 0; minute < 120; minute += 1)
    await later(minute * MINUTE_MS, async () => {
      await (minute % 2 === 0 ? guest.rsvp() : guest.giveUp())
      had.push(...subjects(await guest.mails()).slice(had.length))
    })
  expect(had.length).toBeGreaterThan(2)
  expect(had.length).toBeLessThan(8)
  await later(DAY_MS, async () => {
    const mails = await guest.mails()
    expect(mails.at(-1)?.subject).toBe('You gave up your spot at “To and fro”')
    const revisions = mails.map((mail) => readInvitation(mail).sequence)
    expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other))
  })
})
