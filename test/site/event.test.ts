import { describe, expect, test } from 'bun:test'
import { randomHex } from '@/core/codes'
import { type Answer, del, get, patch, post } from '../support/api'
import { makeCaller, makeEvent, makeGroup, makeMember, makeSession } from '../support/make'
import { inHours } from '../support/time'

const HOSTILE = `</script><script>alert(1)</script>"><img src=x onerror=alert(2)>&`

const tokenIn = ({ text }: Answer) => /name="csrf" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ''

/** Presses the button of a form on the page of an event, as a browser without script does. */
async function press(path: string, session: string, name: 'rsvp' | 'cancel') {
  const shown = await get(path, { session })
  return post(`${path}?do=${name}`, {
    session,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `csrf=${tokenIn(shown)}`,
  })
}

async function aPerson() {
  const { user, token } = await makeCaller(['read:events', 'write:events'])
  return { user, token, session: await makeSession(user.id) }
}

const rsvp = (eventId: string, token: string) => post(`/v1/events/${eventId}/rsvp`, { token })

async function anEvent(fields: Parameters<typeof makeEvent>[1] = {}) {
  const group = await makeGroup({ themeColor: 'ocean' })
  const event = await makeEvent(group.id, { venueName: 'The Shed', venueCity: 'Berlin', ...fields })
  return { group, event, path: `/events/${event.id}` }
}

const factsIn = ({ text }: Answer) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}')

describe('the page of an event', () => {
  test('answers a stranger everything at once, in two languages, and leads to the sign-in and back to the button', async () => {
    const { group, event, path } = await anEvent({ maxAttendees: 5 })
    const { status, text, headers } = await get(path)
    expect(status).toBe(200)
    for (const said of [event.title, group.name, 'The Shed', '5 spots left', 'Count me in', 'class="ocean"'])
      expect(text).toContain(said)
    expect(text).toContain(`<form method="post" action="${path}?do=rsvp">`)
    expect(text).not.toContain('name="csrf"')
    expect(headers.get('cache-control')).toBe('public, no-cache')
    const german = await get(path, { headers: { 'accept-language': 'de' } })
    for (const said of ['Noch 5 Plätze', 'Ich komme', 'In den Kalender', 'lang="de"'])
      expect(german.text).toContain(said)
    expect(german.text).not.toContain('spots left')
  })

  test('shows the start in the saved time zone of a person, without script, where their clock differs', async () => {
    const startTime = new Date('2031-05-01T16:30:00Z')
    const { group, event, path } = await anEvent({ startTime, endTime: null, timezone: 'Europe/Berlin' })
    const pages = [path, `/groups/${group.urlname}`, `/events?group=${group.urlname}`]
    const seen = async (timeZone: string | null, more: string[] = [], language = 'en') => {
      const { user, token } = await makeCaller(['write:events'], { timeZone })
      await rsvp(event.id, token)
      const session = await makeSession(user.id)
      const texts = [...pages, ...more].map(async (page) => {
        const { text } = await get(page, { session, headers: { 'accept-language': language } })
        expect(text).not.toContain('\u0001')
        // With a saved zone the script has nothing left to fill in by the zone of the browser.
        expect([timeZone, text.includes('data-at=')]).toEqual([timeZone, timeZone === null])
        return /<p class="quiet small">([^<]*(?:in your time|nach deiner Uhr)[^<]*)</.exec(text)?.[1]
      })
      return Promise.all(texts)
    }
    expect(await seen('Asia/Tokyo', ['/'])).toEqual(Array(4).fill('Fri 01:30 in your time (GMT+9)'))
    expect((await seen('Asia/Tokyo', [], 'de'))[0]).toBe('Fr., 01:30 nach deiner Uhr (GMT+9)')
    for (const none of ['Europe/Paris', null]) expect(await seen(none)).toEqual(Array(3).fill(undefined))
  })

  test('is the same bytes for strangers, known by their tag, and never holds what is one person’s own', async () => {
    const { path } = await anEvent()
    const { session, user } = await aPerson()
    const first = await get(path)
    const own = await get(path, { session })
    expect([own.headers.get('cache-control'), tokenIn(own).length]).toEqual(['no-store', 128])
    const second = await get(path)
    expect(second.text).toBe(first.text)
    for (const secret of [tokenIn(own), user.name]) expect(second.text).not.toContain(secret)
    const etag = first.headers.get('etag') as string
    expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('warns that a spot may be lost only where spots are limited', async () => {
    const { session } = await aPerson()
    const text = async (fields: object) => {
      const { path } = await anEvent(fields)
      await press(path, session, 'rsvp')
      return (await get(path, { session })).text
    }
    const limited = await text({ maxAttendees: 2 })
    expect([limited.includes('You may not get it back.'), limited.includes('Cancel my RSVP')]).toEqual([
      true,
      false,
    ])
    const open = await text({ maxAttendees: null })
    expect([open.includes('You may not get it back.'), open.includes('Cancel my RSVP')]).toEqual([
      false,
      true,
    ])
  })

  test('takes a seat and gives it up by forms, and tells strangers at once', async () => {
    const { path } = await anEvent({ maxAttendees: 2 })
    const { session, user } = await aPerson()
    expect((await get(path)).text).toContain('2 spots left')
    const taken = await press(path, session, 'rsvp')
    expect([taken.status, taken.headers.get('location')]).toEqual([303, `${path}#seat`])
    const own = await get(path, { session })
    expect(own.text).toContain('You are going')
    expect(own.text).toContain('Give up my spot')
    const stranger = await get(path)
    expect(stranger.text).toContain('1 spot left')
    expect(stranger.text).toContain(`href="/u/${user.username}"`)
    expect(stranger.text).not.toContain('You are going')
    // Twice is as good as once.
    expect(
      (
        await post(`${path}?do=rsvp`, {
          session,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `csrf=${tokenIn(own)}`,
        })
      ).status,
    ).toBe(303)
    expect((await press(path, session, 'cancel')).status).toBe(303)
    expect((await get(path, { session })).text).toContain('You are no longer on the list')
    expect((await get(path)).text).toContain('2 spots left')
  })

  test('shows a full house, the place in line, and who was promoted', async () => {
    const { event, path } = await anEvent({ maxAttendees: 1 })
    const [first, second, third] = [await aPerson(), await aPerson(), await aPerson()]
    await rsvp(event.id, first.token)
    const full = await get(path)
    expect(full.text).toContain('<strong>Full</strong>')
    expect(full.text).toContain('Join the waitlist')
    await rsvp(event.id, second.token)
    expect((await press(path, third.session, 'rsvp')).status).toBe(303)
    expect((await get(path)).text).toContain('2 people are on the waitlist')
    expect((await get(path, { session: third.session })).text).toContain('You are number 2 in line')
    await del(`/v1/events/${event.id}/rsvp`, { token: first.token })
    expect((await get(path, { session: second.session })).text).toContain('You are going')
    expect((await get(path, { session: third.session })).text).toContain('You are number 1 in line')
    expect((await press(path, third.session, 'cancel')).status).toBe(303)
    expect((await get(path)).text).not.toContain('on the waitlist')
  })

  test('says that it was cancelled, and why; that it is over; and has no button then', async () => {
    const owner = await makeCaller(['manage:events'])
    const group = await makeGroup({}, owner.user.id)
    const event = await makeEvent(group.id)
    const path = `/events/${event.id}`
    const { session } = await aPerson()
    expect((await get(path)).text).toContain('Count me in')
    const at = `/v1/manage/groups/${group.id}/events/${event.id}`
    await patch(at, { token: owner.token, json: { title: 'Another title' } })
    expect((await get(path)).text).toContain('<h1 dir="auto">Another title</h1>')
    await post(`${at}/cancel`, { token: owner.token, json: { reason: 'The hall is <flooded>' } })
    for (const page of [await get(path), await get(path, { session })]) {
      expect(page.text).toContain('This event was cancelled')
      expect(page.text).toContain('The hall is &lt;flooded&gt;')
      expect(page.text).not.toContain('?do=')
      expect(page.text).not.toContain('Count me in')
      expect(factsIn(page).eventStatus).toBe('https://schema.org/EventCancelled')
    }
    const past = await anEvent({ startTime: inHours(-30) })
    const guest = await aPerson()
    for (const page of [await get(past.path), await get(past.path, { session: guest.session })]) {
      expect(page.text).toContain('This event is over')
      expect(page.text).not.toContain('?do=')
    }
    expect((await press(past.path, guest.session, 'rsvp')).status).toBe(403)
  })

  test('of an unlisted group, and a draft, are there only for those who may see them', async () => {
    const [owner, guest, other] = [await aPerson(), await aPerson(), await aPerson()]
    const hidden = await makeGroup({ isListed: false }, owner.user.id)
    const unlisted = await makeEvent(hidden.id)
    const draft = await makeEvent((await makeGroup({}, owner.user.id)).id, {
      status: 'draft',
      publishedAt: null,
    })
    const at = (id: string) => `/events/${id}`
    for (const id of [unlisted.id, draft.id, 'nonsense', crypto.randomUUID()]) {
      expect((await get(at(id))).status).toBe(404)
      expect((await get(at(id), { session: other.session })).status).toBe(404)
      expect((await get(`${at(id)}/calendar.ics`)).status).toBe(404)
    }
    const seen = await get(at(unlisted.id), { session: owner.session })
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(seen.text).toContain(`/manage/groups/${hidden.id}/events/${unlisted.id}`)
    const shown = await get(at(draft.id), { session: owner.session })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('This is a draft')
    expect(shown.text).toContain('<meta name="robots" content="noindex">')
    expect((await get(at(draft.id), { session: guest.session })).status).toBe(404)
    // Nothing of what they saw is left for others.
    for (const id of [unlisted.id, draft.id]) expect((await get(at(id))).status).toBe(404)
  })

  test('shows the online link only to confirmed guests', async () => {
    const onlineUrl = `https://meet.example.org/${randomHex(8)}`
    const { event, path } = await anEvent({
      eventType: 'online',
      onlineUrl,
      venueName: null,
      venueCity: null,
    })
    const [guest, other] = [await aPerson(), await aPerson()]
    await rsvp(event.id, guest.token)
    expect((await get(path, { session: guest.session })).text).toContain(onlineUrl)
    for (const page of [await get(path), await get(path, { session: other.session })])
      expect(page.text).not.toContain(onlineUrl)
    expect(factsIn(await get(path)).location).toEqual({
      '@type': 'VirtualLocation',
      url: expect.stringContaining(path),
    })
  })

  test('shows the management link only to its staff', async () => {
    const { group, path } = await anEvent()
    const [staff, other] = [await aPerson(), await aPerson()]
    await makeMember(group.id, staff.user.id, 'volunteer')
    expect((await get(path, { session: staff.session })).text).toContain('href="/manage/')
    for (const page of [await get(path), await get(path, { session: other.session })])
      expect(page.text).not.toContain('/manage/groups/')
  })

  test('has structured data for Google and schema.org, for any input', async () => {
    const { group, event, path } = await anEvent({
      title: HOSTILE,
      description: `${HOSTILE}\n\nSee https://example.org/<b>.`,
      venueAddress: '1 Mill Lane',
      maxAttendees: 3,
      tags: [HOSTILE.slice(0, 30)],
    })
    const page = await get(path)
    for (const bad of ['<script>alert', '<img src=x']) expect(page.text).not.toContain(bad)
    const facts = factsIn(page)
    expect(facts).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: HOSTILE,
      startDate: event.startTime.toISOString(),
      endDate: event.endTime?.toISOString(),
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: {
        '@type': 'Place',
        name: 'The Shed',
        address: { '@type': 'PostalAddress', streetAddress: '1 Mill Lane', addressLocality: 'Berlin' },
      },
      organizer: { '@type': 'Organization', name: group.name, url: expect.stringMatching(/^http/) },
      image: [expect.stringMatching(/^http.*\/preview\.png\?v=\w+$/)],
      maximumAttendeeCapacity: 3,
      remainingAttendeeCapacity: 3,
    })
    for (const part of [
      'property="og:title"',
      'property="og:image"',
      'application/json+oembed',
      `/feeds/groups/${group.urlname}.ics`,
      'rel="canonical"',
    ])
      expect(page.text).toContain(part)
  })

  test('is also a calendar file, with the very entry of the feeds', async () => {
    const { group, event, path } = await anEvent()
    const file = await get(`${path}/calendar.ics`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(file.text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    const entry = /BEGIN:VEVENT.*?END:VEVENT/s.exec(file.text)?.[0] as string
    expect((await get(`/feeds/groups/${group.urlname}.ics`)).text).toContain(entry)
    expect(entry).toContain(event.title)
    const etag = file.headers.get('etag') as string
    expect((await get(`${path}/calendar.ics`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('calls its guests as they are called now, and forgets whose profile is no longer public', async () => {
    const { event, path } = await anEvent()
    const { user, token } = await makeCaller(['write:events', 'user'])
    await rsvp(event.id, token)
    expect((await get(path)).text).toContain(user.name)
    const name = `Called ${randomHex(4)}`
    expect((await patch('/v1/profile', { token, json: { name } })).status).toBe(200)
    expect((await get(path)).text).toContain(name)
    expect((await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })).status).toBe(200)
    const { text } = await get(path)
    expect(text).not.toContain(name)
    expect(text).toContain('1 guest, not shown by name')
  })
})
