import { expect, test } from 'bun:test'
import { listeners } from '@/areas'
import { transaction } from '@/db/transaction'
import { award, revoke } from '@/modules/recognition/badges/award'
import { post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { mailsAfter } from '../../../support/letters'
import { makeGroup, makeUser } from '../../../support/make'
import { patiently } from '../../../support/patiently'
import { makeFan, makeLink } from '../claims/fixtures'
import { makeBadge } from './fixtures'

const GATHERED = 16 * 60_000

type Badge = Awaited<ReturnType<typeof makeBadge>>

const give = (badge: Badge, userId: string) => transaction((tx) => award(tx, badge, userId, 'admin'))
const take = (badge: Badge, userId: string) => transaction((tx) => revoke(tx, badge, userId))

test('badges that were earned together come in one letter, those that are still held', async () => {
  const ada = await makeUser()
  const group = await makeGroup({ isListed: false })
  const [own, hidden, taken] = [
    await makeBadge({ groupId: group.id, points: 1 }),
    await makeBadge({ hidden: true }),
    await makeBadge(),
  ]
  for (const badge of [own, hidden, taken]) await give(badge, ada.id)
  await drain(listeners)
  await take(taken, ada.id)
  const [mail, ...more] = await mailsAfter(GATHERED, ada)
  expect([mail?.subject, more]).toEqual(['You earned 2 badges', []])
  expect(mail?.text).toContain(`${own.icon} ${own.name}\n  1 point · ${group.name}`)
  expect(mail?.text).toContain(`/badges/${hidden.slug}`)
  expect(mail?.text).not.toContain(taken.name)
})

test('a revoked badge is not mentioned, and a badge awarded repeatedly only once', async () => {
  const [ada, ben] = [await makeUser(), await makeUser()]
  const badge = await makeBadge()
  await give(badge, ada.id)
  await drain(listeners)
  await take(badge, ada.id)
  expect(await mailsAfter(GATHERED, ada)).toEqual([])
  await give(badge, ben.id)
  expect((await mailsAfter(0, ben)).length).toBe(0)
  expect((await mailsAfter(GATHERED, ben)).length).toBe(1)
  await take(badge, ben.id)
  await give(badge, ben.id)
  expect((await mailsAfter(GATHERED, ben)).map(({ subject }) => subject)).toEqual([
    `You earned “${badge.name}”`,
  ])
})

test('a link that many use at once writes to each of them once', async () => {
  const badge = await makeBadge()
  const { code } = await makeLink(badge.id)
  const fans = await Promise.all(Array.from({ length: 40 }, makeFan))
  const answers = await Promise.all(
    fans.map(({ token }) => patiently(() => post(`/v1/claim/${code}`, { token }))),
  )
  expect(new Set(answers.map(({ status }) => status)).size).toBe(1)
  for (const { user } of fans)
    expect((await mailsAfter(GATHERED, user)).map(({ subject }) => subject)).toEqual([
      `You earned “${badge.name}”`,
    ])
})
