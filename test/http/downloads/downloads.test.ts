import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { checkins, events, rsvps } from '@/db/tables/events'
import { groupMembers } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { attachment, inline } from '@/http/downloads/disposition'
import { signer } from '@/http/signed'
import { clockIn } from '@/web/local-time'
import { makeCheckin, makeRsvp, makeStaffedEvent } from '../../modules/gatherings/checkins/fixtures'
import { apiUrl, call, get, post } from '../../support/api'
import { makeUser } from '../../support/make'
import { statementsOf } from '../../support/statements'
import { later } from '../../support/time'

const MISSING = { error: 'Download not found', code: 'not_found' }

async function addressOf({ at, manager }: Awaited<ReturnType<typeof makeStaffedEvent>>) {
  const answer = await post(`${at}/attendees/export`, { token: manager.token })
  expect(answer.status).toBe(200)
  return { ...answer.body.data, path: answer.body.data.url.slice(config.baseUrl.length) } as {
    url: string
    expiresAt: string
    path: string
  }
}

const clock = (at: Date) => clockIn('Europe/Berlin', at).replace('T', ' ')

describe('the table of attendees', () => {
  test('is behind an address of ours that needs no credential', async () => {
    const staffed = await makeStaffedEvent({ title: 'Größe: "1/2" & more' })
    const { event } = staffed
    const [ann, bob, eve] = [
      await makeUser({ name: 'Ann "A", the first', profileVisibility: 'private' }),
      await makeUser({ name: '=HYPERLINK("http://evil.example","click")', username: null }),
      await makeUser({ name: 'Zoë 🎉' }),
    ]
    const coming = await makeRsvp(event.id, ann.id)
    const present = await makeCheckin(event.id, ann.id, { method: 'qr' })
    const walkIn = await makeCheckin(event.id, bob.id)
    const waiting = await makeRsvp(event.id, eve.id, { status: 'waitlisted', waitlistNumber: 7 })
    const { url, path, expiresAt } = await addressOf(staffed)
    expect(url).toStartWith(`${config.baseUrl}/downloads/`)
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 600_000)).toBeLessThan(60_000)
    const response = await fetch(apiUrl() + path)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(new TextDecoder().decode(bytes)).toBe(
      `${[
        'Name,Username,Status,RSVP (Europe/Berlin),Place in line,Checked in,Check-in (Europe/Berlin),How,Email',
        `"Ann ""A"", the first",${ann.username},Coming,${clock(coming.rsvpAt)},,Yes,${clock(present.checkedInAt)},by QR code,`,
        `"'=HYPERLINK(""http://evil.example"",""click"")",,Walk-in,,,Yes,${clock(walkIn.checkedInAt)},by the staff,`,
        `Zoë 🎉,${eve.username},Waiting,${clock(waiting.rsvpAt)},1,No,,,`,
      ].join('\r\n')}\r\n`,
    )
    const german = await get(path, { headers: { 'accept-language': 'de' } })
    expect(german.text).toMatch(/^\ufeff?Name,Benutzername,Status,Zusage \(Europe\/Berlin\),/)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="attendees-Grosse-1-2-more.csv"; filename*=UTF-8''attendees%20Gr%C3%B6%C3%9Fe%201%202%20%26%20more.csv`,
    )
    const head = await call('HEAD', path)
    expect([head.status, head.text]).toEqual([200, ''])
    // How long it becomes is not known before it is made.
    expect(head.headers.get('content-length')).toBeNull()
  })

  test('is made when it is fetched, and gone with its event', async () => {
    const staffed = await makeStaffedEvent()
    const { path } = await addressOf(staffed)
    const lines = async () => (await get(path)).text.trim().split('\r\n').length
    expect(await lines()).toBe(1)
    await makeRsvp(staffed.event.id, (await makeUser()).id)
    expect(await lines()).toBe(2)
    await db.delete(events).where(eq(events.id, staffed.event.id))
    const after = await get(path)
    expect([after.status, after.body]).toEqual([404, MISSING])
  })

  test('is whole and in order however long, and read in parts', async () => {
    const staffed = await makeStaffedEvent()
    const people = Array.from({ length: 4500 }, (_, i) => ({ id: newId(), name: `Row ${i}` }))
    await db.insert(users).values(people)
    const eventId = staffed.event.id
    // Some only answered, some answered and came, some only came, all over the table.
    const answered = people.filter((_, i) => i % 3 !== 0)
    const came = people.filter((_, i) => i % 3 !== 1)
    await db
      .insert(rsvps)
      .values(answered.map(({ id }) => ({ id: newId(), eventId, userId: id, status: 'cancelled' as const })))
    await db
      .insert(checkins)
      .values(came.map(({ id }) => ({ id: newId(), eventId, userId: id, method: 'link' as const })))
    const { path } = await addressOf(staffed)
    const { text } = await get(path)
    const names = text.trim().split('\r\n').slice(1)
    expect(names.map((line) => line.split(',')[0])).toEqual(people.map(({ name }) => name))
    expect(names.map((line) => line.replace(/^.*?,,([^,]+),.*,(Yes|No),.*$/, '$1 $2'))).toEqual(
      people.map((_, i) => ['Walk-in Yes', 'Not coming No', 'Not coming Yes'][i % 3] as string),
    )
    // One of them reads the guests without an account.
    expect(await statementsOf(() => get(path))).toBe(6)
  })
})

describe('an address', () => {
  test('works for ten minutes, then it is gone', async () => {
    const { path } = await addressOf(await makeStaffedEvent())
    const within = await later(9.9 * 60_000, () => get(path))
    const after = await later(10.1 * 60_000, () => get(path))
    expect([within.status, after.status, after.body.code]).toEqual([200, 410, 'gone'])
    expect(after.headers.get('content-type')).toStartWith('application/json')
  })

  test('ends with what its maker may do: the role, the standing, the account', async () => {
    const staffed = await makeStaffedEvent()
    const { path } = await addressOf(staffed)
    const { id } = staffed.manager.user
    const answers = async () => (await get(path)).status
    const asRole = (role: 'manager' | 'volunteer') =>
      db.update(groupMembers).set({ role }).where(eq(groupMembers.userId, id))
    expect(await answers()).toBe(200)
    await asRole('volunteer')
    expect(await answers()).toBe(404)
    await asRole('manager')
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, id))
    expect(await answers()).toBe(404)
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, id))
    expect(await answers()).toBe(200)
    await db.delete(users).where(eq(users.id, id))
    expect(await answers()).toBe(404)
  })

  test('that was changed, invented or signed for something else is not found', async () => {
    const staffed = await makeStaffedEvent()
    const { path } = await addressOf(staffed)
    const token = path.slice('/downloads/'.length)
    const [header, payload, seal] = token.split('.') as [string, string, string]
    const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const ids = { kind: 'attendees', eventId: staffed.event.id, by: staffed.manager.user.id }
    expect(claims).toEqual({ value: ids, exp: expect.any(Number) })
    const lasting = packed({ ...claims, exp: claims.exp + 3600 })
    const hmac = (key: string) =>
      new Bun.CryptoHasher('sha256', key).update(`${header}.${lasting}`).digest('base64url')
    const forged = [
      `${header}.${lasting}.${seal}`,
      `${header}.${lasting}.${hmac(config.secretKey)}`,
      `${header}.${lasting}.${hmac('')}`,
      `${packed({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${packed({ alg: 'none', typ: 'JWT' })}.${payload}.${seal}`,
      `${header}.${payload}`,
      `${header}.${payload}.${seal.slice(0, -2)}`,
      'x',
      'a'.repeat(5000),
      (await signer('something else').sign(ids, 600_000)).token,
      (await signer('download').sign({ ...ids, kind: 'toString' }, 600_000)).token,
      (await signer('download').sign({ ...ids, eventId: newId() }, 600_000)).token,
      (await signer('download').sign({ kind: 'attendees', eventId: staffed.event.id }, 600_000)).token,
      (await signer('download').sign({ ...ids, by: (await makeUser()).id }, 600_000)).token,
    ]
    for (const bad of forged) {
      const answer = await get(`/downloads/${bad}`)
      expect([bad, answer.status, answer.body]).toEqual([bad, 404, MISSING])
    }
    // One that was forged says nothing of its time either.
    const expired = packed({ ...claims, exp: 1 })
    expect((await get(`/downloads/${header}.${expired}.${seal}`)).status).toBe(404)
    expect((await get(path)).status).toBe(200)
  })

  test('is not stored: a replay with the same key is 409', async () => {
    const { at, manager } = await makeStaffedEvent()
    const ask = () =>
      post(`${at}/attendees/export`, { token: manager.token, headers: { 'idempotency-key': 'sheet' } })
    const [first, second] = [await ask(), await ask()]
    expect([first.status, first.headers.get('cache-control'), second.status]).toEqual([200, 'no-store', 409])
  })
})

test('names of files hold nothing that a system would take for something else', () => {
  expect(attachment('日本語.png')).toBe(
    `attachment; filename="file.png"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E.png`,
  )
  for (const nameless of ['.png', '\u200b\u200b.png', '...png'])
    expect(attachment(nameless)).toBe(`attachment; filename="file.png"; filename*=UTF-8''file.png`)
  const plain = (name: string) => /filename="(.*?)"/.exec(attachment(name))?.[1]
  const plainly = { 'Frühlingsfest.pdf': 'Fruhlingsfest.pdf', 'Łukasz Żółć.vcf': 'Lukasz-Zolc.vcf' }
  for (const [name, shown] of Object.entries({ ...plainly, 'Ærø Đặng þ.a': 'AEro-Dang-th.a' }))
    expect(plain(name)).toBe(shown)
  expect(inline('日本語.vcf', 'ada-okafor')).toStartWith('inline; filename="ada-okafor.vcf"; ')
  expect(attachment('a b.csv')).toBe(`attachment; filename="a-b.csv"; filename*=UTF-8''a%20b.csv`)
  expect(attachment('..\\..\\etc/passwd "x"\r\nSet-Cookie: a.csv')).toBe(
    `attachment; filename="etc-passwd-x-Set-Cookie-a.csv"; filename*=UTF-8''etc%20passwd%20x%20Set-Cookie%20a.csv`,
  )
  expect(attachment('attendees \u202efdp.exe.csv')).not.toContain('%E2%80%AE')
  expect(attachment('attendees 日本.csv')).toBe(
    `attachment; filename="attendees.csv"; filename*=UTF-8''attendees%20%E6%97%A5%E6%9C%AC.csv`,
  )
  expect(attachment(`${'𝒳'.repeat(300)}.csv`).length).toBeLessThan(1400)
})
