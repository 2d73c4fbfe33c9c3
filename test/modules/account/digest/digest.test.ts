import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { events, rsvps } from '@/db/tables/events'
import { favorites, groups } from '@/db/tables/groups'
import { mailSwitches } from '@/db/tables/mails'
import { users } from '@/db/tables/users'
import { sendDigests } from '@/modules/account/digest/area'
import { makeEvent, makeGroup, makeUser } from '../../../support/make'
import { later } from '../../../support/time'
import { mailsTo } from '../../access/sign-in/fixtures'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A Monday that is not too near, as a zone's clocks show it. */
const mondayIn = (zone: string, clock: string) => {
  const today = Temporal.Now.plainDateISO('UTC')
  const monday = today.add({ days: 15 - today.dayOfWeek })
  return monday.toPlainDateTime(clock).toZonedDateTime(zone).epochMilliseconds
}

/** What somebody finds at a moment, the oldest first. */
const mailsAt = (moment: number, { email }: { email: string | null }) =>
  later(moment - Date.now(), async () => {
    await sendDigests()
    return (await mailsTo(email as string)).reverse()
  })

async function makeSubscriber(fields: Partial<typeof users.$inferInsert> = {}) {
  const user = await makeUser(fields)
  await db.insert(mailSwitches).values({ userId: user.id, kind: 'weeklyDigest', isOn: true })
  const group = await makeGroup()
  await db.insert(favorites).values({ userId: user.id, groupId: group.id })
  return { user, group }
}

const answer = (eventId: string, userId: string, status: 'confirmed' | 'waitlisted') =>
  db
    .insert(rsvps)
    .values({ id: newId(), eventId, userId, status, waitlistNumber: status === 'waitlisted' ? 1 : null })

describe('the week ahead', () => {
  test('comes on Monday morning by the clocks of its reader, once', async () => {
    const zone = 'Pacific/Auckland'
    const { user, group } = await makeSubscriber({ timeZone: zone })
    const eight = mondayIn(zone, '08:00')
    const event = await makeEvent(group.id, { startTime: new Date(eight + 2 * DAY) })
    expect(await mailsAt(eight - 60_000, user)).toEqual([])
    const [mail, ...more] = await mailsAt(eight + 60_000, user)
    expect([mail?.subject, more]).toEqual(['Your week: 1 event', []])
    expect(mail?.text).toContain(event.title)
    expect(mail?.text).toContain(`/events/${event.id}`)
    expect(mail?.text).toContain('/unsubscribe/weeklyDigest.')
    expect((await mailsAt(eight + 2 * HOUR, user)).length).toBe(1)
    await db.update(users).set({ timeZone: 'Pacific/Honolulu' }).where(eq(users.id, user.id))
    expect((await mailsAt(mondayIn('Pacific/Honolulu', '09:00'), user)).length).toBe(1)
    await makeEvent(group.id, { startTime: new Date(eight + 9 * DAY) })
    expect((await mailsAt(mondayIn('Pacific/Honolulu', '09:00') + 7 * DAY, user)).length).toBe(2)
  })

  test('uses UTC for people without a time zone', async () => {
    const { user, group } = await makeSubscriber()
    const eight = mondayIn('UTC', '08:00')
    await makeEvent(group.id, { startTime: new Date(eight + DAY) })
    expect(await mailsAt(eight - 60_000, user)).toEqual([])
    expect((await mailsAt(eight + 60_000, user)).length).toBe(1)
  })

  test.each([
    ['put forward', '2031-03-31', 6],
    ['put back', '2031-10-27', 7],
  ])('comes at the same hour after clocks are %s', async (_, monday, utcHour) => {
    const { user, group } = await makeSubscriber({ timeZone: 'Europe/Berlin' })
    const eight = Date.parse(`${monday}T0${utcHour}:00:00Z`)
    await makeEvent(group.id, { startTime: new Date(eight + DAY) })
    expect(await mailsAt(eight - 60_000, user)).toEqual([])
    expect((await mailsAt(eight + 60_000, user)).length).toBe(1)
  })

  test('is not sent without events, in the evening, or to people who did not opt in', async () => {
    const nine = mondayIn('UTC', '09:00')
    const nothing = await makeSubscriber()
    await makeEvent(nothing.group.id, { startTime: new Date(nine + 8 * DAY) })
    expect(await mailsAt(nine, nothing.user)).toEqual([])
    const late = await makeSubscriber()
    await makeEvent(late.group.id, { startTime: new Date(nine + DAY) })
    expect(await mailsAt(nine + 10 * HOUR, late.user)).toEqual([])
    const quiet = await makeSubscriber()
    await makeEvent(quiet.group.id, { startTime: new Date(nine + DAY) })
    await db.delete(mailSwitches).where(eq(mailSwitches.userId, quiet.user.id))
    expect(await mailsAt(nine, quiet.user)).toEqual([])
    const barred = await makeSubscriber({ suspendedAt: new Date() })
    await makeEvent(barred.group.id, { startTime: new Date(nine + DAY) })
    expect(await mailsAt(nine, barred.user)).toEqual([])
  })

  test('holds what its reader may know: no draft, nothing cancelled, nothing of a group that hides', async () => {
    const { user, group } = await makeSubscriber({ language: 'de' })
    const nine = mondayIn('UTC', '09:00')
    const startTime = new Date(nine + DAY)
    const [draft, cancelled, shown] = [
      await makeEvent(group.id, { startTime, status: 'draft' }),
      await makeEvent(group.id, { startTime, status: 'cancelled' }),
      await makeEvent(group.id, { startTime, timezone: 'Asia/Tokyo' }),
    ]
    const hiding = await makeGroup({ isListed: false })
    await db.insert(favorites).values({ userId: user.id, groupId: hiding.id })
    const [secret, going, waiting] = [
      await makeEvent(hiding.id, { startTime }),
      await makeEvent(hiding.id, { startTime }),
      await makeEvent(group.id, { startTime }),
    ]
    await answer(going.id, user.id, 'confirmed')
    await answer(waiting.id, user.id, 'waitlisted')
    const [mail] = await mailsAt(nine, user)
    expect(mail?.subject).toBe('Deine Woche: 3 Veranstaltungen')
    const text = mail?.text ?? ''
    for (const { title } of [shown, going, waiting]) expect(text.split(title).length).toBe(2)
    for (const { title } of [draft, cancelled, secret]) expect(text).not.toContain(title)
    expect(text).toContain('du stehst auf der Warteliste')
  })

  test('is true when it goes, not when it was begun', async () => {
    const { user, group } = await makeSubscriber()
    const nine = mondayIn('UTC', '09:00')
    const event = await makeEvent(group.id, { startTime: new Date(nine + DAY) })
    await later(nine - Date.now(), sendDigests)
    await db.update(events).set({ status: 'cancelled' }).where(eq(events.id, event.id))
    expect(await mailsAt(nine, user)).toEqual([])
    const hidden = await makeSubscriber()
    await makeEvent(hidden.group.id, { startTime: new Date(nine + DAY) })
    await later(nine - Date.now(), sendDigests)
    await db.update(groups).set({ isListed: false }).where(eq(groups.id, hidden.group.id))
    expect(await mailsAt(nine, hidden.user)).toEqual([])
  })
})
