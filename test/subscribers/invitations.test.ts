import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { invitationOf } from '@/modules/gatherings/feeds/calendar/invitation'
import { feedEvent } from '../modules/gatherings/feeds/calendar/fixtures'
import { readWithIcalJs } from '../modules/gatherings/feeds/calendar/ical-js'
import { calendarApp } from '../modules/gatherings/notices/calendar-app'
import { makeGuest, readInvitation, stage } from '../modules/gatherings/notices/fixtures'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { demandPackage, hasModule, PYTHON } from '../support/packages'
import { readCalendar } from '../support/rfc5545/calendar'
import { later } from '../support/time'
import { run } from './run'

beforeAll(() => demandPackage('python3-icalendar', hasModule('icalendar, dateutil')))

type Read = {
  method: string
  events: { uid: string; sequence: number; organizer: Person; attendee: Person }[]
}
type Person = { address: string; name: string; rsvp: string | null; answer: string | null }

const readWithPython = async (texts: string[]): Promise<Read[]> =>
  JSON.parse(await run([PYTHON, join(import.meta.dir, 'read-invitations.py')], { input: texts.join('') }))

test('python3-icalendar and ical.js follow an entry that comes, moves and is cancelled', async () => {
  const { event, change, cancel } = await stage({ event: { startTime: new Date('2027-05-06T17:30:00Z') } })
  const guest = await makeGuest(event.id, { name: 'Zoë Zimt' })
  await guest.rsvp()
  await guest.mails()
  await change({ startTime: '2027-05-07T17:30:00Z', endTime: null })
  await guest.mails()
  await later(3 * 60_000, guest.mails)
  await cancel({ reason: 'Rain' })
  const mails = await later(4 * 60_000, guest.mails)
  const app = calendarApp(guest.user.email as string)
  expect(mails.map(app.receive)).toEqual(['added', 'updated', 'removed'])
  const read = await readWithPython(mails.map(({ calendar }) => calendar?.text as string))
  expect(read.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL'])
  const entries = read.map(({ events }) => events[0])
  expect(entries.map((entry) => [entry?.uid, entry?.sequence])).toEqual(
    mails.map(readInvitation).map(({ uid, sequence }) => [uid, sequence]),
  )
  expect(entries.map((entry) => entry?.sequence)).toEqual([0, 1, 2])
  expect(entries[0]?.attendee).toEqual({
    address: `mailto:${guest.user.email}`,
    name: 'Zoë Zimt',
    rsvp: 'FALSE',
    answer: 'ACCEPTED',
  })
})

test('Whatever people typed, an entry is one entry for one guest', async () => {
  const texts: string[] = []
  for (const text of HOSTILE_TEXTS) {
    const event = feedEvent({ title: text, answer: 'confirmed', group: { name: text, urlname: 'x' } })
    const invitation = await invitationOf(event, { name: text, email: 'zoe+moot@example.org' })
    readCalendar(invitation.text)
    expect(readWithIcalJs(invitation.text)).toHaveLength(1)
    texts.push(invitation.text)
  }
  const read = await readWithPython(texts)
  expect(read).toHaveLength(HOSTILE_TEXTS.length)
  for (const { method, events } of read)
    expect([method, events.map(({ attendee }) => attendee.address)]).toEqual([
      'REQUEST',
      ['mailto:zoe+moot@example.org'],
    ])
})
