import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { badges } from '@/db/tables/badges'
import { checkinCodes, checkins, events, guests } from '@/db/tables/events'
import { groupMembers, groups } from '@/db/tables/groups'
import { uploads } from '@/db/tables/uploads'
import { publish } from '@/outbox/bus'
import { del, get, post } from '../support/api'
import { startUploadChecks } from '../support/lanes'
import { makeBadge, makeEvent, makeGroup, makeMember, makeToken, makeUser } from '../support/make'
import { until } from '../support/processes'
import { inHours } from '../support/time'
import { png } from '../support/uploads'
import { alarmIn, makeVisitor, noticeIn } from '../support/visitor'

const HOSTILE = `<img src=x onerror="alert(1)">'"&`

/** A group with an owner, a manager and a volunteer at their browsers, and an event that begins in an hour. */
async function makePlace() {
  const group = await makeGroup()
  const [owner, manager, volunteer] = [await makeVisitor(), await makeVisitor(), await makeVisitor()]
  await makeMember(group.id, owner.id, 'owner')
  await makeMember(group.id, manager.id, 'manager')
  await makeMember(group.id, volunteer.id, 'volunteer')
  const event = await makeEvent(group.id)
  const path = `/manage/groups/${group.id}`
  return { group, owner, manager, volunteer, event, path, door: `${path}/events/${event.id}` }
}

/** Every page of a place. */
const pagesOf = ({ path, door }: { path: string; door: string }) => [
  path,
  `${path}/staff`,
  `${path}/badges`,
  `${path}/settings`,
  `${path}/events/new`,
  door,
  `${door}/edit`,
  `${door}/codes`,
  `${door}/sheets`,
]

const eventRow = async (id: string) => (await db.select().from(events).where(eq(events.id, id)))[0]

async function comes(eventId: string, fields = {}) {
  const user = await makeUser(fields)
  const { token } = await makeToken(user.id, ['write:events'])
  await post(`/v1/events/${eventId}/rsvp`, { token })
  return user
}

describe('who may see them', () => {
  test('strangers are sent to the sign-in and back', async () => {
    const place = await makePlace()
    for (const page of ['/manage', '/manage/groups/new', ...pagesOf(place)]) {
      const { status, headers } = await get(page, { headers: { accept: 'text/html' } })
      expect([page, status, headers.get('location')]).toEqual([
        page,
        303,
        `/login?returnTo=${encodeURIComponent(page)}`,
      ])
    }
  })

  test('others find nothing there, neither to read nor to send', async () => {
    const [place, other] = [await makePlace(), await makeVisitor()]
    for (const page of pagesOf(place)) expect([page, (await other.open(page)).status]).toEqual([page, 404])
    for (const [page, deed, fields] of [
      [place.door, 'checkin', { userId: other.id }],
      [place.door, 'export', {}],
      [`${place.path}/settings`, 'save', { name: 'Mine' }],
      [`${place.path}/staff`, 'add', { userId: other.id }],
      [`${place.door}/edit`, 'cancel', {}],
    ] as const)
      expect((await other.send(page, deed, fields)).status).toBe(404)
    expect((await eventRow(place.event.id))?.status).toBe('published')
  })

  test('volunteers see the door, and nothing to press that is not theirs', async () => {
    const { volunteer, door, path, event } = await makePlace()
    const guest = await comes(event.id)
    const { status, text } = await volunteer.open(door)
    expect([status, text.includes(guest.name), text.includes('do=checkin')]).toEqual([200, true, true])
    expect(text).not.toContain('do=export')
    expect(text).not.toContain('/edit"')
    for (const page of [`${path}/settings`, `${path}/staff`])
      expect((await volunteer.open(page)).status).toBe(200)
    const plan = (await volunteer.open(`${path}/events/new`)).text
    expect([plan.includes('Only managers and owners'), plan.includes('do=create')]).toEqual([true, false])
    expect((await volunteer.send(`${path}/settings`, 'save', { name: 'Mine' })).status).toBe(403)
    expect((await volunteer.send(`${door}/edit`, 'cancel')).status).toBe(403)
  })

  test('a malformed address is one that leads nowhere', async () => {
    const { owner, path, door } = await makePlace()
    for (const page of ['/manage/groups/x', `${path}/events/x`, `${path}/badges/x`, `${door}/codes/x`])
      expect([page, (await owner.open(page)).status]).toEqual([page, 404])
    expect((await owner.send(door, 'toString')).status).toBe(400)
  })
})

test('a new event starts from the saved time zone of its organizer, and from none that is not known', async () => {
  const { owner, event, path } = await makePlace()
  await db.delete(events).where(eq(events.id, event.id))
  const zone = async () => /name="timezone"[^>]*/.exec((await owner.open(`${path}/events/new`)).text)?.[0]
  expect(await zone()).toContain('value=""')
  await owner.send('/settings/preferences', 'save', { language: 'en', timeZone: 'Asia/Tokyo' })
  expect(await zone()).toContain('value="Asia/Tokyo"')
})

describe('the first page', () => {
  test('has the next event on top, and the groups below', async () => {
    const { owner, event, group, door } = await makePlace()
    await makeEvent(group.id, { title: 'Much later', startTime: inHours(200) })
    await makeEvent(group.id, { title: 'Long over', startTime: inHours(-200) })
    const { text } = await owner.open('/manage')
    expect(text.indexOf(event.title)).toBeLessThan(text.indexOf('Much later'))
    expect(text).not.toContain('Long over')
    expect(text).toContain(`href="${door}"`)
    expect(text).toContain(group.name)
  })

  test('leads people without a group to creating one', async () => {
    const newcomer = await makeVisitor()
    expect((await newcomer.open('/manage')).text).toContain('href="/manage/groups/new"')
    const german = await makeVisitor(undefined, 'de')
    expect((await german.open('/manage')).text).toContain('Du leitest noch keine Gruppe')
  })
})

describe('a group', () => {
  test('is started, changed, and deleted once its name was typed', async () => {
    const owner = await makeVisitor()
    const urlname = `moot-${owner.id.slice(-8)}`
    const made = await owner.send('/manage/groups/new', 'create', { name: HOSTILE, urlname, tags: 'a, b' })
    expect(made.status).toBe(303)
    const at = made.headers.get('location') as string
    const shown = await owner.open(at)
    expect(noticeIn(shown)).toBe('Your group is ready. Plan its first event.')
    expect(shown.text).not.toContain('<img src=x')
    const [path] = at.split('?') as [string]
    const fields = {
      name: 'Renamed',
      urlname,
      themeColor: 'violet',
      description: 'Two\r\nlines',
      website: '',
    }
    expect((await owner.send(`${path}/settings`, 'save', fields)).status).toBe(303)
    const [row] = await db.select().from(groups).where(eq(groups.urlname, urlname))
    expect(row).toMatchObject({ name: 'Renamed', themeColor: 'violet', description: 'Two\nlines', tags: [] })
    const wrong = await owner.send(`${path}/settings`, 'delete', { confirm: 'other' })
    expect([wrong.status, alarmIn(wrong)]).toEqual([400, 'To delete a group, confirm with its web address.'])
    const gone = await owner.send(`${path}/settings`, 'delete', { confirm: urlname })
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/manage?done=deleted'])
  })

  test('that cannot be started keeps what was typed', async () => {
    const [owner, taken] = [await makeVisitor(), await makeGroup()]
    const refused = await owner.send('/manage/groups/new', 'create', {
      name: HOSTILE,
      urlname: taken.urlname,
    })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('value="&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&quot;&amp;"')
    const german = await makeVisitor(undefined, 'de')
    const empty = await german.send('/manage/groups/new', 'create', { name: '', urlname: 'ok' })
    expect(alarmIn(empty)).toStartWith('Name ')
  })

  test('has a staff: added by username, given another role, removed; and one leaves by oneself', async () => {
    const { owner, manager, path, group } = await makePlace()
    const newcomer = await makeUser()
    const staff = `${path}/staff`
    expect((await owner.send(staff, 'add', { userId: 'nobody-here', role: 'volunteer' })).status).toBe(404)
    await owner.send(staff, 'add', { userId: newcomer.username as string, role: 'volunteer' })
    const [member] = await db.select().from(groupMembers).where(eq(groupMembers.userId, newcomer.id))
    expect(member).toMatchObject({ groupId: group.id, role: 'volunteer' })
    expect((await owner.open(staff)).text).toContain(newcomer.name)
    const memberId = member?.id as string
    expect((await manager.send(staff, 'role', { memberId, role: 'owner' })).status).toBe(403)
    expect((await owner.send(staff, 'role', { memberId, role: 'manager' })).status).toBe(303)
    for (const _ of ['removed', 'so already'])
      expect((await owner.send(staff, 'remove', { memberId })).status).toBe(303)
    expect(await db.select().from(groupMembers).where(eq(groupMembers.userId, newcomer.id))).toEqual([])
    const left = await manager.send(`${path}/settings`, 'leave')
    expect([left.status, (await manager.open(path)).status]).toEqual([303, 404])
    expect((await owner.send(`${path}/settings`, 'leave')).status).toBe(409)
  })
})

describe('an event', () => {
  const fields = {
    title: 'Night of the clocks',
    startTime: '2031-07-01T19:00',
    endTime: '2031-07-01T22:00',
    timezone: 'Europe/Berlin',
    description: HOSTILE,
    eventType: 'hybrid',
    'venue.name': 'The Shed',
    'venue.city': 'Ulm',
    'venue.postalCode': '89073',
    'venue.country': 'Germany',
    'venue.latitude': '48.4',
    onlineUrl: 'https://meet.example/room',
    maxAttendees: '20',
    tags: 'night, clocks',
    photoUrl: '',
    status: 'published',
  }

  async function makePlanned(more = {}) {
    const place = await makePlace()
    const made = await place.manager.send(`${place.path}/events/new`, 'create', { ...fields, ...more })
    const at = made.headers.get('location') ?? ''
    const id = /events\/([^?]+)/.exec(at)?.[1] as string
    return { ...place, made, id, at, planned: `${place.path}/events/${id}` }
  }

  test('is planned at the hour of its own place', async () => {
    const { made, at, id, manager } = await makePlanned()
    expect([made.status, at.split('?')[1]]).toEqual([303, 'done=published'])
    expect(await eventRow(id)).toMatchObject({
      startTime: new Date('2031-07-01T17:00:00Z'),
      endTime: new Date('2031-07-01T20:00:00Z'),
      venueName: 'The Shed',
      venueCity: 'Ulm',
      venueLatitude: 48.4,
      maxAttendees: 20,
      tags: ['night', 'clocks'],
      status: 'published',
    })
    expect((await manager.open(at)).text).not.toContain('<img src=x')
  })

  test('is shown and changed in that zone, and what the form shows stays what it was', async () => {
    const { manager, planned, id } = await makePlanned()
    const { text } = await manager.open(`${planned}/edit`)
    expect(text).toContain('name="startTime" type="datetime-local" required value="2031-07-01T19:00"')
    expect(text).toContain('name="startTime.moment" value="2031-07-01T17:00:00.000Z"')
    // Sent as it stands.
    const sent = [...text.matchAll(/<(?:input)[^>]*? name="([^"]+)"[^>]*? value="([^"]*)"/g)].filter(
      ([, name]) => name?.startsWith('venue.') || name?.includes('Time') || name === 'timezone',
    )
    const form = Object.fromEntries(sent.map(([, name, value]) => [name, value])) as Record<string, string>
    const before = await eventRow(id)
    await manager.send(`${planned}/edit`, 'save', {
      ...form,
      title: 'Renamed',
      eventType: 'hybrid',
      onlineUrl: fields.onlineUrl,
      maxAttendees: '20',
      tags: 'night, clocks',
      description: HOSTILE,
      photoUrl: '',
    })
    const { title, updatedAt, sequence, ...after } = (await eventRow(id)) as NonNullable<typeof before>
    expect(title).toBe('Renamed')
    expect(before).toMatchObject(after)
    expect(sequence).toBe(before?.sequence as number)
  })

  test('that cannot be says why beside the field, and keeps what was typed', async () => {
    const { manager, path } = await makePlace()
    const wrong: [object, number, string][] = [
      [{ endTime: '2031-07-01T18:00' }, 400, 'End must be after the start.'],
      [{ timezone: 'Mars/Olympus' }, 400, 'Time zone must be a name such as Europe/Lisbon.'],
      [{ startTime: '2031-03-30T02:30' }, 400, 'Start does not exist on that day: clocks are put forward.'],
      [{ 'venue.name': '' }, 400, 'Venue is required.'],
      [{ title: '' }, 400, 'Title is required.'],
    ]
    for (const [change, status, said] of wrong) {
      const refused = await manager.send(`${path}/events/new`, 'create', { ...fields, ...change })
      expect([refused.status, alarmIn(refused)]).toEqual([status, said])
      expect(refused.text).toContain('value="89073"')
    }
  })

  test('in the past is published only once that was confirmed', async () => {
    const { manager, path } = await makePlace()
    const past = { ...fields, startTime: '2020-07-01T19:00', endTime: '2020-07-01T22:00' }
    const warned = await manager.send(`${path}/events/new`, 'create', past)
    expect([warned.status, alarmIn(warned)]).toEqual([
      400,
      'Start is in the past: check it, or confirm below that you want to publish it.',
    ])
    expect(warned.text).toContain('name="past"')
    const made = await manager.send(`${path}/events/new`, 'create', { ...past, past: 'on' })
    expect(made.status).toBe(303)
    const draft = await manager.send(`${path}/events/new`, 'create', { ...past, status: 'draft' })
    const page = draft.headers.get('location')?.split('?')[0] as string
    expect((await manager.open(page)).text).toContain('This event is in the past.')
  })

  test('has a description in Markdown, of which the form shows a preview', async () => {
    const { manager, planned, path, id } = await makePlanned({ description: '- **bold** & <b>typed</b>' })
    const shown = (await get(`/events/${id}`)).text
    expect(shown).toContain('<ul><li><strong>bold</strong> &amp; &lt;b&gt;typed&lt;/b&gt;</li></ul>')
    const typed = { ...fields, description: '[ours](https://a.example/) [bad](javascript:x)\n<script>' }
    for (const page of [`${path}/events/new`, `${planned}/edit`]) {
      const previewed = await manager.send(page, 'preview', typed)
      expect([previewed.status, alarmIn(previewed)]).toEqual([200, undefined])
      expect(previewed.text).toContain(
        '<p><a href="https://a.example/" rel="noopener nofollow ugc">ours</a> bad<br>&lt;script&gt;</p>',
      )
      expect(previewed.text).toContain('value="The Shed"')
    }
    expect((await manager.send(`${path}/events/new`, 'preview', [['csrf', 'x']])).status).toBe(400)
  })

  test('is kept as a draft, published, copied, cancelled', async () => {
    const { manager, planned, id, path } = await makePlanned({ status: 'draft' })
    expect((await eventRow(id))?.status).toBe('draft')
    expect((await manager.open(planned)).text).toContain('do=publish')
    await manager.send(planned, 'publish', { status: 'published' })
    expect((await eventRow(id))?.status).toBe('published')
    const copied = await manager.send(`${planned}/edit`, 'duplicate', {
      timezone: 'Europe/Berlin',
      startTimes: '2031-12-01T19:00',
      weeks: '1',
    })
    const copy = /events\/([^/]+)\/edit/.exec(copied.headers.get('location') ?? '')?.[1] as string
    expect(await eventRow(copy)).toMatchObject({
      startTime: new Date('2031-12-01T18:00:00Z'),
      status: 'draft',
      title: fields.title,
    })
    expect((await manager.open(`${planned}/edit`)).text).toContain('name="weeks"')
    const deleted = await manager.send(`${path}/events/${copy}/edit`, 'delete')
    expect([deleted.headers.get('location'), await eventRow(copy)]).toEqual([
      `${path}?done=draftDeleted`,
      undefined,
    ])
    expect((await manager.send(`${planned}/edit`, 'delete')).status).toBe(409)
    await manager.send(`${planned}/edit`, 'cancel', { reason: HOSTILE })
    expect(await eventRow(id)).toMatchObject({ status: 'cancelled', cancelReason: HOSTILE })
    const { text } = await manager.open(planned)
    expect(text).toContain('&lt;img src=x')
    expect(text).not.toContain('<img src=x')
  })
})

describe('the door', () => {
  test('lets people in by one press, says who it was, and takes it back', async () => {
    const { volunteer, manager, door, event } = await makePlace()
    const guest = await comes(event.id, { name: HOSTILE })
    const sent = await volunteer.send(`${door}?search=x&status=confirmed&who=${guest.username}`, 'checkin', {
      userId: guest.id,
    })
    const back = sent.headers.get('location') as string
    expect([sent.status, back]).toEqual([
      303,
      `${door}?status=confirmed&who=${guest.username}&about=${guest.id}`,
    ])
    const shown = await volunteer.open(back)
    expect(noticeIn(shown)).toBe('✓ &lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&quot;&amp; is in.')
    expect(shown.text).not.toContain('<img src=x')
    const came = () => db.select().from(checkins).where(eq(checkins.eventId, event.id))
    expect((await came()).map(({ userId }) => userId)).toEqual([guest.id])
    const again = await volunteer.send(`${door}?who=${guest.username}`, 'checkin', { userId: guest.id })
    expect(again.status).toBe(409)
    expect(alarmIn(again)).toMatch(
      /&gt;&#39;&quot;&amp; was already checked in: today, \d\d:\d\d, by the staff\.$/,
    )
    expect((await volunteer.send(door, 'undo', { userId: guest.id })).status).toBe(403)
    for (const _ of ['undone', 'so already'])
      expect((await manager.send(door, 'undo', { userId: guest.id })).status).toBe(303)
    expect(await came()).toEqual([])
  })

  test('names the door on a second check-in', async () => {
    const { volunteer, door, event } = await makePlace()
    const guest = await comes(event.id, { name: 'Ada Door' })
    await volunteer.send(`${door}/codes`, 'create', { label: 'Side door', timezone: 'Europe/Berlin' })
    const [code] = await db.select().from(checkinCodes).where(eq(checkinCodes.eventId, event.id))
    const { token } = await makeToken(guest.id, ['write:events'])
    await post(`/v1/checkin/${code?.code}`, { token, json: { method: 'qr' } })
    const again = await volunteer.send(door, 'checkin', { userId: guest.username as string })
    expect(alarmIn(again)).toMatch(/^Ada Door was already checked in: today, \S+, by QR code “Side door”\.$/)
    expect(again.text).not.toContain('<details class="details" open>')
  })

  test('finds people, counts them, and takes walk-ins by username', async () => {
    const { volunteer, door, event } = await makePlace()
    const [ada, bob] = [
      await comes(event.id, { name: 'Ada Door' }),
      await comes(event.id, { name: 'Bob Door' }),
    ]
    const found = await volunteer.open(`${door}?search=ada%20door`)
    expect([found.text.includes(ada.name), found.text.includes(bob.name)]).toEqual([true, false])
    const stranger = await makeUser()
    const walked = await volunteer.send(door, 'checkin', { userId: stranger.username as string })
    const { text } = await volunteer.open(walked.headers.get('location') as string)
    expect(text).toContain(`✓ ${stranger.name} is in.`)
    expect(text).toMatch(/<dt>Checked in<\/dt><dd>1<\/dd>/)
    expect(text).toMatch(/<dt>Coming<\/dt><dd>2<\/dd>/)
    expect((await volunteer.open(`${door}?status=walk_in`)).text).not.toContain('Ada Door')
    const at = await volunteer.send(door, 'checkin', { userId: `@${ada.username}` })
    expect(noticeIn(await volunteer.open(at.headers.get('location') as string))).toBe('✓ Ada Door is in.')
    const twice = await volunteer.send(door, 'checkin', { userId: ` @${ada.username}` })
    expect(alarmIn(twice)).toMatch(/^Ada Door was already checked in/)
    const nobody = await volunteer.send(door, 'checkin', { userId: 'nobody-here' })
    expect([nobody.status, alarmIn(nobody)]).toEqual([
      404,
      'No member has that username: check them in by name or email instead.',
    ])
  })

  test('counts walk-ins, with and without an account, among the spots taken, and never blocks the door', async () => {
    const { volunteer, manager, door, event } = await makePlace()
    await manager.send(`${door}/edit`, 'save', { maxAttendees: '2' })
    const ada = await comes(event.id)
    const cancelled = await comes(event.id)
    const { token } = await makeToken(cancelled.id, ['write:events'])
    await del(`/v1/events/${event.id}/rsvp`, { token })
    const counts = async () => {
      const { text } = await volunteer.open(door)
      return /data-live="counts">(.*?)<\/dl>/s
        .exec(text)?.[1]
        ?.replace(/<[^>]+>|\s+/g, ' ')
        .replace(/ +/g, ' ')
        .trim()
    }
    expect(await counts()).toBe('Checked in 0 Coming 1 Spots taken 1 / 2')
    await volunteer.send(door, 'guest', { name: 'Mona' })
    await volunteer.send(door, 'checkin', { userId: ada.id })
    await volunteer.send(door, 'checkin', { userId: cancelled.id })
    expect(await counts()).toBe('Checked in 3 Coming 1 Walk-ins 2 Spots taken 3 / 2')
  })

  test('shows who is not here yet', async () => {
    const { volunteer, door, event } = await makePlace()
    const ada = await comes(event.id, { name: 'Ada Door' })
    await comes(event.id, { name: 'Bob Door' })
    await volunteer.send(door, 'checkin', { userId: ada.id })
    const { text } = await volunteer.open(`${door}?status=missing`)
    expect([text.includes('Ada Door'), text.includes('Bob Door')]).toEqual([false, true])
    expect(text).toContain('href="?status=missing" aria-current="true">Not here yet</a>')
  })

  test('takes guests without an account by name or email, once for an address, and erases them', async () => {
    const { volunteer, manager, door, event } = await makePlace()
    const sent = await volunteer.send(door, 'guest', { name: HOSTILE, email: 'Mona@Folk.example' })
    expect(sent.status).toBe(303)
    const shown = await volunteer.open(sent.headers.get('location') as string)
    expect(noticeIn(shown)).toBe('✓ &lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&quot;&amp; is in.')
    expect(shown.text).toMatch(/<dt>Checked in<\/dt><dd>1<\/dd>/)
    const twice = await volunteer.send(door, 'guest', { email: 'mona@folk.example' })
    expect([twice.status, alarmIn(twice)]).toEqual([
      409,
      expect.stringMatching(/&amp; was already checked in: today, \S+, by the staff\.$/),
    ])
    const neither = await volunteer.send(door, 'guest', { name: ' ', email: '' })
    expect([neither.status, alarmIn(neither)]).toEqual([
      400,
      'Guest’s name is required, or an email address.',
    ])
    const [guest] = await db.select().from(guests).where(eq(guests.eventId, event.id))
    expect((await volunteer.send(door, 'undo-guest', { guestId: guest?.id as string })).status).toBe(403)
    const gone = await manager.send(door, 'undo-guest', { guestId: guest?.id as string })
    expect(gone.headers.get('location')).toBe(`${door}?done=guestUndone`)
    expect(await db.select().from(guests).where(eq(guests.eventId, event.id))).toEqual([])
    expect(await db.select().from(checkins).where(eq(checkins.eventId, event.id))).toEqual([])
  })

  test("checks in the member with a guest's email if they have an RSVP, and reveals no other account", async () => {
    const { volunteer, door, event } = await makePlace()
    const email = (who: string) => `${who}-${event.id}@folk.example`
    const member = await comes(event.id, {
      name: 'Ada Door',
      email: email('Ada'),
      profileVisibility: 'private',
    })
    await makeUser({ name: 'Bob Elsewhere', email: email('bob') })
    const sent = await volunteer.send(door, 'guest', { name: 'A. D.', email: email('aDA') })
    const shown = await volunteer.open(sent.headers.get('location') as string)
    expect(noticeIn(shown)).toBe('✓ Ada Door is in.')
    const again = await volunteer.send(door, 'guest', { email: email('ada') })
    expect([again.status, alarmIn(again)]).toEqual([409, 'This person is checked in already.'])
    await volunteer.send(door, 'guest', { name: 'Bob', email: email('bob') })
    const came = await db.select().from(checkins).where(eq(checkins.eventId, event.id))
    expect(came.map(({ userId }) => userId).sort()).toEqual([member.id, null])
    expect((await volunteer.open(door)).text).not.toContain('Bob Elsewhere')
  })

  test('links only profiles that the staff can open', async () => {
    const { volunteer, owner, door, path, event } = await makePlace()
    const seen = await comes(event.id)
    const hidden = await comes(event.id, { profileVisibility: 'private' })
    await owner.send(`${path}/staff`, 'add', { userId: hidden.username as string, role: 'volunteer' })
    for (const [page, linked] of [
      [door, true],
      [`${path}/staff`, false],
    ] as const) {
      const { text } = await volunteer.open(page)
      expect([text.includes(`href="/u/${seen.username}"`), text.includes(hidden.username as string)]).toEqual(
        [linked, true],
      )
      // Guests gave the organizers their name; staff are named by their username to those who may not see the profile.
      expect([page, text.includes(hidden.name)]).toEqual([page, page === door])
      expect(text).not.toContain(`href="/u/${hidden.username}"`)
    }
  })

  test('gives the list as a file', async () => {
    const { manager, door, event } = await makePlace()
    const guest = await comes(event.id)
    const { status, headers } = await manager.send(door, 'export')
    expect(status).toBe(303)
    const file = await get(headers.get('location') as string)
    expect([file.headers.get('content-type'), file.text.includes(guest.username as string)]).toEqual([
      'text/csv; charset=utf-8',
      true,
    ])
  })

  test('has codes: made, shown large, deleted', async () => {
    const { manager, volunteer, door, event } = await makePlace()
    const made = await volunteer.send(`${door}/codes`, 'create', {
      label: HOSTILE,
      maxUses: '5',
      timezone: 'Europe/Berlin',
      expiresAt: '2031-07-01T19:00',
    })
    expect(made.status).toBe(303)
    const [code] = await db.select().from(checkinCodes).where(eq(checkinCodes.eventId, event.id))
    expect(code).toMatchObject({ maxUses: 5, expiresAt: new Date('2031-07-01T17:00:00Z') })
    const large = await volunteer.open(`${door}/codes/${code?.id}`)
    expect([large.text.includes('<svg xmlns'), large.text.includes(code?.code as string)]).toEqual([
      true,
      true,
    ])
    expect((await volunteer.open(`${door}/codes`)).text).not.toContain('<img src=x')
    expect((await manager.send(`${door}/codes`, 'delete', { codeId: code?.id as string })).status).toBe(303)
    expect(await db.select().from(checkinCodes).where(eq(checkinCodes.eventId, event.id))).toEqual([])
  })

  test('has sheets to print, and looks again by itself while one is made', async () => {
    const { volunteer, door } = await makePlace()
    const sent = await volunteer.send(`${door}/sheets`, 'create', {
      kind: 'badges',
      paper: 'a4',
      sort: 'name',
      startAt: '1',
    })
    const { text } = await volunteer.open(sent.headers.get('location') as string)
    expect(text).toContain('Name badges · A4')
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>')
    const wrong = await volunteer.send(`${door}/sheets`, 'create', {
      kind: 'badges',
      paper: 'a4',
      startAt: '9',
    })
    expect([wrong.status, alarmIn(wrong)]).toEqual([
      400,
      'First free label must be left out: this paper has no labels.',
    ])
  })
})

describe('badges of a group', () => {
  test('are made, changed, given, taken back, and handed out by links', async () => {
    const { manager, owner, path, group } = await makePlace()
    const guest = await makeUser()
    const slug = `b-${guest.id.slice(-10)}`
    const fields = {
      name: HOSTILE,
      slug,
      icon: '🎈',
      points: '5',
      color: '#123456',
      sortOrder: '0',
      description: '',
    }
    const made = await manager.send(`${path}/badges`, 'create', fields)
    const [badge] = await db.select().from(badges).where(eq(badges.slug, slug))
    const at = `${path}/badges/${badge?.id}`
    expect([made.status, made.headers.get('location')]).toEqual([303, `${at}?done=badge`])
    expect((await manager.open(at)).text).not.toContain('<img src=x')
    expect((await manager.open(at)).text).toMatch(/name="color" type="color" value="#[0-9a-f]{6}"/)
    await manager.send(at, 'save', { ...fields, name: 'Balloon', points: '7' })
    expect((await db.select().from(badges).where(eq(badges.slug, slug)))[0]).toMatchObject({
      name: 'Balloon',
      points: 7,
      slug,
    })
    const many = await manager.send(at, 'save', { ...fields, points: '51' })
    expect([many.status, alarmIn(many)]).toEqual([400, 'Points must be at most 50 in this group.'])
    const userId = guest.username as string
    expect((await manager.send(at, 'award', { userId })).status).toBe(303)
    expect((await manager.send(at, 'award', { userId })).status).toBe(409)
    expect((await manager.send(at, 'revoke', { userId })).status).toBe(303)
    expect((await manager.send(at, 'link', { maxUses: '3', timezone: 'UTC', expiresAt: '' })).status).toBe(
      303,
    )
    const { text } = await manager.open(at)
    const code = /href="\/claim\/(\w+)"/.exec(text)?.[1]
    expect([text.includes('<svg xmlns'), (await get(`/v1/claim/${code}`)).body.data.claimable]).toEqual([
      true,
      true,
    ])
    const linkId = /name="linkId" value="([^"]+)"/.exec(text)?.[1] as string
    expect((await manager.send(at, 'unlink', { linkId })).status).toBe(303)
    expect((await get(`/v1/claim/${code}`)).status).toBe(404)
    expect((await manager.send(at, 'delete')).status).toBe(403)
    expect((await owner.send(at, 'delete')).status).toBe(303)
    expect((await owner.open(at)).status).toBe(404)
    const foreign = await makeBadge()
    expect((await manager.open(`${path}/badges/${foreign.id}`)).status).toBe(404)
    expect(group.id).toBeString()
  })
})

test('every page is there in German, and says nothing in English', async () => {
  const { group, event } = await makePlace()
  const owner = await makeVisitor(undefined, 'de')
  await makeMember(group.id, owner.id, 'owner')
  const path = `/manage/groups/${group.id}`
  for (const page of pagesOf({ path, door: `${path}/events/${event.id}` })) {
    const { status, text } = await owner.open(page)
    expect([page, status]).toEqual([page, 200])
    expect(text).toContain('<html lang="de"')
    expect(text).not.toMatch(/Check in|Settings|Staff<|Coming|Delete/)
  }
})

let checks: ReturnType<typeof startUploadChecks>
beforeAll(() => {
  checks = startUploadChecks()
})
afterAll(() => checks.stop())

describe('a form that creates something', () => {
  /** Sends a form with a file, as a browser without script does: the button that was pressed comes after the file. */
  const create = async (
    who: Awaited<ReturnType<typeof makeVisitor>>,
    path: string,
    fields: Record<string, string>,
    bytes?: Uint8Array<ArrayBuffer>,
    session: string | undefined = who.session,
    deed = 'create',
  ) => {
    const page = await who.open(path)
    expect(page.text).toContain('enctype="multipart/form-data"')
    expect(page.text).not.toContain('Address of a picture')
    const { status, ...typed } = fields
    const form = new FormData()
    form.append('csrf', /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '')
    for (const [name, value] of Object.entries(typed)) form.append(name, value)
    form.append('photoUrl', new File(bytes ? [bytes] : [], bytes ? 'a.png' : '', { type: 'image/png' }))
    if (status) form.append('status', status)
    const request = new Request('http://form.invalid', { method: 'POST', body: form })
    const type = request.headers.get('content-type') as string
    return post(`${path}?do=${deed}`, {
      session,
      body: (await request.bytes()) as Uint8Array<ArrayBuffer>,
      headers: {
        'content-type': type,
        'sec-fetch-site': 'same-origin',
        accept: 'text/html',
      },
    })
  }

  test('takes a picture without script, keeps it when something else is wrong, and derives the address', async () => {
    const owner = await makeVisitor()
    const name = `Grüße & Spaß ${randomHex(4)}`
    const wrong = await create(
      owner,
      '/manage/groups/new',
      { name, website: 'x', description: 'Tÿped' },
      png(64, 64),
    )
    expect([wrong.status, wrong.text.includes('Tÿped')]).toEqual([400, true])
    const photoUrl = /name="photoUrl" value="([^"]+)"/.exec(wrong.text)?.[1] as string
    expect(photoUrl).toContain('/v1/uploads/file/group-photo/')
    expect(wrong.text).toContain('Uploaded. Choose another file to replace it.')
    const made = await create(owner, '/manage/groups/new', { name, photoUrl })
    expect(made.status).toBe(303)
    const [group] = await db.select().from(groups).where(eq(groups.name, name))
    expect(group?.urlname).toBe(`grusse-spass-${name.slice(-8)}`)
    expect(photoUrl).toEndWith(group?.photoUrl as string)
  })

  test('comes back with its picture while a busy worker still checks it, and is sent once more', async () => {
    await checks.stop()
    const owner = await makeVisitor()
    const name = `Busy ${randomHex(4)}`
    const sending = create(owner, '/manage/groups/new', { name, description: 'Typed' }, png(64, 64))
    let key = ''
    await until('the picture came whole', async () => {
      const [row] = await db.select().from(uploads).where(eq(uploads.ownerId, owner.id))
      key = row?.key ?? ''
      return row?.state === 'received'
    })
    // As if the eight seconds were over.
    publish([{ type: 'upload.refused', data: { key } }])
    const busy = await sending
    checks = startUploadChecks()
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '5'])
    expect(alarmIn(busy)).toBe('Your picture is still being checked: send the form again in a moment.')
    const photoUrl = /name="photoUrl" value="([^"]+)"/.exec(busy.text)?.[1] as string
    expect([photoUrl.endsWith(key), busy.text.includes(name)]).toEqual([true, true])
    expect((await create(owner, '/manage/groups/new', { name, photoUrl })).status).toBe(303)
    const [group] = await db.select().from(groups).where(eq(groups.name, name))
    expect(group?.photoUrl).toContain(key)
  })

  test('takes the picture of an event, and the button that was pressed', async () => {
    const { manager, path } = await makePlace()
    const fields = {
      title: 'With a cover',
      startTime: '2031-05-01T18:30',
      timezone: 'Europe/Berlin',
      status: 'draft',
    }
    const made = await create(
      manager,
      `${path}/events/new`,
      { ...fields, eventType: 'physical' },
      png(64, 64),
    )
    expect(made.headers.get('location')).toEndWith('?done=drafted')
    const id = /events\/([^?]+)/.exec(made.headers.get('location') ?? '')?.[1] as string
    expect((await eventRow(id))?.photoUrl).toContain('/event-photo/')
  })

  test('says what is wrong with a file, and loses nothing that was typed, not even without a session', async () => {
    const owner = await makeVisitor()
    const fields = { name: 'Typed with care', description: 'x'.repeat(9000) }
    const text = new TextEncoder().encode('no picture')
    const refused = await create(owner, '/manage/groups/new', fields, text)
    expect([refused.status, refused.text.includes('Typed with care')]).toEqual([400, true])
    const large = await create(owner, '/manage/groups/new', fields, new Uint8Array(10_485_761))
    expect([large.status, alarmIn(large)]).toEqual([
      400,
      'This picture cannot be used: choose a photo or drawing of at most 10 MB.',
    ])
    expect(large.text).toContain('Typed with care')
    const ended = await create(owner, '/manage/groups/new', fields, png(64, 64), '0'.repeat(64))
    expect([ended.status, ended.text.includes('Typed with care')]).toEqual([401, true])
    expect(ended.text).toContain('if you chose a picture, check it after sending')
    expect(await db.select().from(groups).where(eq(groups.name, fields.name))).toEqual([])
  })

  test('publishes a draft as it was just changed, with the picture that was chosen', async () => {
    const { manager, path } = await makePlace()
    const fields = {
      title: 'First words',
      startTime: '2031-07-01T19:00',
      timezone: 'Europe/Berlin',
      eventType: 'physical',
    }
    const drafted = await create(manager, `${path}/events/new`, { ...fields, status: 'draft' })
    const id = /events\/([^?]+)/.exec(drafted.headers.get('location') ?? '')?.[1] as string
    const edit = `${path}/events/${id}/edit`
    const past = { ...fields, startTime: '2020-07-01T19:00', status: 'published' }
    expect((await create(manager, edit, past, undefined, manager.session, 'save')).status).toBe(400)
    expect((await eventRow(id))?.status).toBe('draft')
    const changed = { ...fields, title: 'Last words', status: 'published' }
    const published = await create(manager, edit, changed, png(64, 64), manager.session, 'save')
    expect([published.status, published.headers.get('location')?.split('?')[1]]).toEqual([
      303,
      'done=published',
    ])
    expect(await eventRow(id)).toMatchObject({
      title: 'Last words',
      status: 'published',
      photoUrl: expect.stringContaining('/event-photo/'),
    })
    await create(manager, edit, { ...fields, title: 'After all' }, undefined, manager.session, 'save')
    expect(await eventRow(id)).toMatchObject({
      title: 'After all',
      photoUrl: expect.stringContaining('/event-photo/'),
    })
    // The tick is there, since the event has a picture.
    expect((await manager.open(edit)).text).toContain('type="checkbox" name="photoUrl" value=""')
    await create(manager, edit, { ...fields, photoUrl: '' }, undefined, manager.session, 'save')
    expect((await eventRow(id))?.photoUrl).toBeNull()
  })

  test('derives the short name of a badge from its name where it was left empty', async () => {
    const { manager, path } = await makePlace()
    const fields = { icon: '🏅', points: '5', color: '#1f6f54', sortOrder: '0' }
    const name = `Früh dabei ${randomHex(4)}`
    await manager.send(`${path}/badges`, 'create', { ...fields, name, slug: '' })
    const [badge] = await db.select().from(badges).where(eq(badges.name, name))
    expect(badge?.slug).toBe(`fruh-dabei-${name.slice(-8)}`)
    const none = await manager.send(`${path}/badges`, 'create', { ...fields, name: '早起き', slug: '' })
    expect([none.status, alarmIn(none)]).toEqual([400, 'Short name in addresses is required.'])
  })
})

test('one form of a group saves its texts and both pictures, without script, by those who may change them', async () => {
  const { manager, volunteer, path, group } = await makePlace()
  const settings = `${path}/settings`
  const texts = { name: group.name, urlname: group.urlname ?? '', tags: '', website: '', themeColor: '' }
  const send = async (
    who: typeof manager,
    fields: Record<string, string>,
    files: Record<string, Uint8Array<ArrayBuffer>> = {},
  ) => {
    const form = new FormData()
    form.append('csrf', /name="csrf" value="([^"]+)"/.exec((await who.open(settings)).text)?.[1] ?? '')
    for (const [name, value] of Object.entries({ ...texts, ...fields })) form.append(name, value)
    for (const name of ['photoUrl', 'heroImageUrl'])
      form.append(
        name,
        files[name] ? new File([files[name]], 'a.png', { type: 'image/png' }) : new File([], ''),
      )
    const request = new Request('http://form.invalid', { method: 'POST', body: form })
    const type = request.headers.get('content-type') as string
    return post(`${settings}?do=save`, {
      session: who.session,
      body: (await request.bytes()) as Uint8Array<ArrayBuffer>,
      headers: { 'content-type': type },
    })
  }
  const row = async () => (await db.select().from(groups).where(eq(groups.id, group.id)))[0]
  const pictures = { photoUrl: png(64, 64), heroImageUrl: png(80, 40) }
  expect((await send(volunteer, {}, pictures)).status).toBe(403)
  // What is wrong with one picture loses neither the texts nor the other picture.
  const broken = { ...pictures, heroImageUrl: new TextEncoder().encode('no picture') }
  const refused = await send(manager, { description: 'Typed with care' }, broken)
  expect([refused.status, refused.text.includes('Typed with care')]).toEqual([400, true])
  const kept = /name="photoUrl" value="([^"]+)"/.exec(refused.text)?.[1] as string
  expect(kept).toContain('/group-photo/')
  expect((await row())?.description).not.toBe('Typed with care')
  const saved = await send(
    manager,
    { description: 'Typed with care', photoUrl: kept },
    { heroImageUrl: png() },
  )
  expect([saved.status, saved.headers.get('location')]).toEqual([303, `${settings}?done=saved`])
  expect(await row()).toMatchObject({
    description: 'Typed with care',
    photoUrl: kept,
    heroImageUrl: expect.stringContaining('/hero/'),
  })
  const page = await manager.open(settings)
  for (const category of ['group-photo', 'hero'])
    expect(page.text).toContain(`src="/v1/uploads/file/${category}/`)
  await send(manager, { description: 'Without a face', photoUrl: '' })
  expect(await row()).toMatchObject({
    description: 'Without a face',
    photoUrl: null,
    heroImageUrl: expect.stringContaining('/hero/'),
  })
  await send(manager, { description: 'Both again' }, pictures)
  expect(await row()).toMatchObject({ photoUrl: expect.any(String), heroImageUrl: expect.any(String) })
})
