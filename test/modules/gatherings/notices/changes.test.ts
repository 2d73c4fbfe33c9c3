import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '@/core/clock'
import { db } from '@/db/client'
import { mailSwitches } from '@/db/tables/mails'
import { get } from '../../../support/api'
import { ownFeed } from '../../../support/feeds'
import { makeMember } from '../../../support/make'
import { HOUR_MS, inHours, later } from '../../../support/time'
import { readWithIcalJs } from '../feeds/calendar/ical-js'
import { calendarApp } from './calendar-app'
import { type EventMail, makeGuest, readInvitation, stage } from './fixtures'

const MINUTE_MS = 60_000

const subjects = (mails: EventMail[]) => mails.map(({ subject }) => subject)

const at = (time: string) => new Date(`2027-05-${time}Z`)

/** Lets the letters be written, and reads them when they have gone. */
async function mailsSoon(guest: Awaited<ReturnType<typeof makeGuest>>, ms = 3 * MINUTE_MS) {
  await guest.mails()
  return later(ms, guest.mails)
}

describe('An event that is moved', () => {
  test('tells guests with a seat what was and what is, and moves the entry in their calendar', async () => {
    const { event, change, cancel } = await stage({
      event: { title: 'Bread', startTime: at('06T17:30:00'), venueName: 'Old Mill' },
    })
    const guest = await makeGuest(event.id)
    const app = calendarApp(guest.user.email as string)
    await guest.rsvp()
    expect((await guest.mails()).map(app.receive)).toEqual(['added'])
    await change({ startTime: '2027-05-07T17:30:00Z', endTime: null, venue: { name: 'New Mill' } })
    expect(await guest.mails()).toHaveLength(1)
    const [, moved, ...others] = await mailsSoon(guest)
    expect(others).toEqual([])
    expect(moved?.subject).toBe('Changed: “Bread”')
    expect(moved?.text).toContain('It has a new time. It has a new place.')
    expect(moved?.text).toContain('When: Friday, 7 May 2027, 19:30')
    expect(moved?.text).toContain('Until now: Thursday, 6 May 2027, 19:30')
    expect(moved?.text).toContain('Where: New Mill')
    expect(moved?.text).toContain('Place until now: Old Mill')
    expect(moved?.text).toContain('/unsubscribe/eventChanged.')
    expect(app.receive(moved as EventMail)).toBe('updated')
    const [shown] = readWithIcalJs((await get(await ownFeed(guest.token, 'ics'))).text)
    expect([...app.entries.values()][0]).toMatchObject(shown as object)

    await cancel({ reason: 'The oven broke' })
    const off = (await guest.mails()).find(({ subject }) => subject === 'Cancelled: “Bread”') as EventMail
    expect(off.text).toContain('The group says: The oven broke')
    expect(app.receive(off)).toBe('removed')
    expect(readInvitation(off)).toMatchObject({ method: 'CANCEL', status: 'CANCELLED' })
    // What lay in a mailbox for long, and is read last, brings nothing back.
    expect(app.receive(moved as EventMail)).toBe('ignored')
    expect(app.entries.size).toBe(0)
  })

  test('twice within two minutes is mailed once, with the original time', async () => {
    const { event, change } = await stage({ event: { startTime: at('06T17:30:00') } })
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    await guest.mails()
    await change({ startTime: '2027-05-07T17:30:00Z', endTime: null })
    await guest.mails()
    await change({ startTime: '2027-05-08T17:30:00Z' })
    const [, moved, ...others] = await mailsSoon(guest)
    expect(others).toEqual([])
    expect(moved?.text).toContain('When: Saturday, 8 May 2027')
    expect(moved?.text).toContain('Until now: Thursday, 6 May 2027')
  })

  test('and back before a worker ran is not mailed', async () => {
    const { event, change } = await stage({ event: { startTime: at('06T17:30:00'), endTime: null } })
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    await guest.mails()
    await change({ startTime: '2027-05-07T17:30:00Z' })
    await change({ startTime: '2027-05-06T17:30:00Z' })
    expect(await mailsSoon(guest)).toHaveLength(1)
  })

  test('and moved back is not mailed', async () => {
    const { event, change } = await stage({ event: { startTime: at('06T17:30:00'), endTime: null } })
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    await guest.mails()
    await change({ startTime: '2027-05-07T17:30:00Z' })
    await guest.mails()
    await change({ startTime: '2027-05-06T17:30:00Z' })
    expect(await mailsSoon(guest)).toHaveLength(1)
    // What guests know is where it is now.
    await change({ startTime: '2027-05-07T17:30:00Z' })
    expect((await mailsSoon(guest)).at(-1)?.text).toContain('Until now: Thursday, 6 May 2027')
  })

  test('tells those in line, with their place, and keeps the address online from them', async () => {
    const { event, change } = await stage({
      event: { maxAttendees: 1, eventType: 'hybrid', onlineUrl: 'https://meet.example/first' },
    })
    const [seated, waiting] = [await makeGuest(event.id), await makeGuest(event.id)]
    await seated.rsvp()
    await waiting.rsvp()
    await change({ onlineUrl: 'https://meet.example/second' })
    expect((await mailsSoon(seated)).at(-1)?.text).toContain('https://meet.example/second')
    expect(await waiting.mails()).toEqual([])
    await change({ venue: { name: 'New Mill' } })
    await waiting.mails()
    await later(HOUR_MS, async () => {
      const [mail, ...others] = await waiting.mails()
      expect(others).toEqual([])
      expect(mail?.text).toContain('You are number 1 in line.')
      expect(mail?.calendar).toBeUndefined()
      expect(JSON.stringify(mail)).not.toContain('meet.example')
    })
  })

  test('repeatedly is mailed a few times a day, with the final state', async () => {
    const startTime = inHours(500)
    const { event, change } = await stage({ event: { startTime, endTime: null } })
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    await guest.mails()
    const moved = (hours: number) => new Date(startTime.getTime() + hours * HOUR_MS)
    for (let hour = 1; hour <= 20; hour += 1)
      await later(hour * HOUR_MS, async () => {
        await change({ startTime: moved(hour).toISOString() })
        await guest.mails()
      })
    const mails = await later(2 * DAY_MS, guest.mails)
    expect(mails.length).toBeGreaterThan(3)
    expect(mails.length).toBeLessThan(9)
    expect(readInvitation(mails.at(-1) as EventMail).start).toBe(Math.floor(moved(20).getTime() / 1000))
  })

  test('only in its text is not mailed', async () => {
    const { event, change } = await stage()
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    await change({ title: 'Another', description: 'Other words', maxAttendees: 40, tags: ['tea'] })
    expect(await mailsSoon(guest)).toHaveLength(1)
  })
})

describe('An event that is cancelled', () => {
  test('is mailed to confirmed and waitlisted guests, not to those who cancelled', async () => {
    const { event, cancel } = await stage({ event: { title: 'Bread', maxAttendees: 1 } })
    const [seated, waiting, gone] = [
      await makeGuest(event.id),
      await makeGuest(event.id),
      await makeGuest(event.id),
    ]
    for (const guest of [seated, waiting, gone]) await guest.rsvp()
    await gone.giveUp()
    await seated.mails()
    await cancel()
    expect(subjects(await seated.mails())).toEqual(['You are going to “Bread”', 'Cancelled: “Bread”'])
    const [mail, ...others] = await waiting.mails()
    expect([mail?.subject, mail?.calendar, others]).toEqual(['Cancelled: “Bread”', undefined, []])
    expect(await gone.mails()).toEqual([])
  })

  test('after a move is mailed as cancelled only', async () => {
    const { event, change, cancel } = await stage({ event: { title: 'Bread' } })
    const guest = await makeGuest(event.id)
    await guest.rsvp()
    await guest.mails()
    await change({ startTime: inHours(100).toISOString(), endTime: null })
    await guest.mails()
    await cancel()
    expect(subjects(await mailsSoon(guest))).toEqual(['You are going to “Bread”', 'Cancelled: “Bread”'])
  })

  test('is mailed according to preferences', async () => {
    const { event, cancel } = await stage()
    const guest = await makeGuest(event.id)
    await db.insert(mailSwitches).values({ userId: guest.user.id, kind: 'eventChanged', isOn: false })
    await guest.rsvp()
    await guest.mails()
    await cancel()
    expect(await guest.mails()).toHaveLength(1)
  })

  test('in an unlisted group is mailed to its guests', async () => {
    const { event, cancel } = await stage({ group: { isListed: false } })
    const guest = await makeGuest(event.id)
    await makeMember(event.groupId, guest.user.id, 'volunteer')
    await guest.rsvp()
    await guest.mails()
    await cancel()
    expect(await guest.mails()).toHaveLength(2)
  })
})
