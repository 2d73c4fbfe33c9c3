import { describe, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { mailSwitches } from '@/db/tables/mails'
import { get } from '../../../support/api'
import { ownFeed } from '../../../support/feeds'
import { readCalendar } from '../../../support/rfc5545/calendar'
import { readWithIcalJs } from '../feeds/calendar/ical-js'
import { type EventMail, makeGuest, readInvitation, stage } from './fixtures'

describe('Whoever gets a seat', () => {
  test('gets a letter that says when, where and how to stop it', async () => {
    const { event, group } = await stage({
      event: {
        title: 'Bread & "tea"',
        startTime: new Date('2027-05-06T17:30:00Z'),
        endTime: new Date('2027-05-06T19:30:00Z'),
        venueName: 'Old Mill',
        venueAddress: 'Mill Lane 4',
        venueCity: 'Berlin',
      },
    })
    const guest = await makeGuest(event.id, { timeZone: 'Asia/Tokyo' })
    await guest.rsvp()
    const [mail, ...others] = await guest.mails()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('You are going to “Bread & "tea"”')
    expect(mail?.text).toContain('When: Thursday, 6 May 2027, 19:30')
    expect(mail?.text).toContain('(Central European Summer Time)')
    expect(mail?.text).toContain('In your time: Friday, 7 May 2027, 02:30')
    expect(mail?.text).toContain('Where: Old Mill, Mill Lane 4, Berlin')
    expect(mail?.text).toContain(`Group: ${group.name}`)
    expect(mail?.text).toContain(`/events/${event.id}`)
    expect(mail?.text).toContain('/unsubscribe/rsvpConfirmed.')
    expect(mail?.html).toContain('Bread &amp; &quot;tea&quot;')
  })

  test('gets it in their language, on one clock where both show the same', async () => {
    const { event } = await stage({ event: { title: 'Brot' } })
    const guest = await makeGuest(event.id, { language: 'de', timeZone: 'Europe/Paris' })
    await guest.rsvp()
    const [mail] = await guest.mails()
    expect(mail?.subject).toBe('Du bist dabei: „Brot“')
    expect(mail?.text).toContain('Wann: ')
    expect(mail?.text).not.toContain('Nach deiner Uhr')
  })

  test('gets the very entry of their own feed, addressed to them', async () => {
    const { event, group } = await stage({
      group: { name: 'Bakers "of" Berlin^n; co' },
      event: { venueName: 'Old Mill', eventType: 'hybrid', onlineUrl: 'https://meet.example/secret' },
    })
    const guest = await makeGuest(event.id, { name: 'Zoë: "Z", the ^first' })
    await guest.rsvp()
    const [mail] = (await guest.mails()) as [EventMail]
    readCalendar(mail.calendar?.text as string)
    const { method, organizer, organizerName, attendee, attendeeName, rsvp, partstat, ...entry } =
      readInvitation(mail)
    expect({ method, attendee, attendeeName, rsvp, partstat }).toEqual({
      method: 'REQUEST',
      attendee: `mailto:${guest.user.email}`,
      attendeeName: "Zoë: 'Z', the first",
      rsvp: 'FALSE',
      partstat: 'ACCEPTED',
    })
    expect(organizer).toMatch(/^mailto:no-reply@/)
    expect(organizerName).toBe("Bakers 'of' Berlinn; co")
    const feed = await get(await ownFeed(guest.token, 'ics'))
    expect(readWithIcalJs(feed.text)).toEqual([entry])
    expect(entry.description).toContain('https://meet.example/secret')
    expect(entry.description).toContain(group.name)
  })

  test('hears nothing while they wait for one, or gave it up before the letter went', async () => {
    const { event } = await stage({ event: { maxAttendees: 1 } })
    const [quick, late] = [await makeGuest(event.id), await makeGuest(event.id)]
    await quick.rsvp()
    await late.rsvp()
    await late.giveUp()
    await quick.giveUp()
    expect([...(await quick.mails()), ...(await late.mails())]).toEqual([])
  })

  test('hears nothing with the switch off', async () => {
    const { event } = await stage()
    const guest = await makeGuest(event.id)
    await db.insert(mailSwitches).values({ userId: guest.user.id, kind: 'rsvpConfirmed', isOn: false })
    await guest.rsvp()
    expect(await guest.mails()).toEqual([])
  })
})
