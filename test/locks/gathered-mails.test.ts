import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { mails } from '@/db/tables/mails'
import { transaction } from '@/db/transaction'
import { gather } from '@/mail/gathered/gather'
import { tokenMadeLetter } from '@/modules/access/tokens/area'
import { mailsTo } from '../modules/access/sign-in/fixtures'
import { makeToken, makeUser } from '../support/make'
import { isAnyoneWaiting } from '../support/meanwhile'
import { until } from '../support/processes'

const makeThing = async (userId: string, name: string) =>
  (await makeToken(userId, ['read:events'], { name })).id

const lettersOf = (userId: string) => db.select().from(mails).where(eq(mails.userId, userId))

test('of many things at once one letter tells', async () => {
  const { id, email } = await makeUser()
  const things = await Promise.all(Array.from({ length: 20 }, (_, n) => makeThing(id, `thing ${n}`)))
  await Promise.all(things.map((thing) => transaction((tx) => gather(tx, tokenMadeLetter, id, thing))))
  expect((await lettersOf(id)).length).toBe(1)
  const [mail, ...more] = await mailsTo(email as string)
  expect([mail?.text.match(/^\* /gm)?.length, more]).toEqual([10, []])
  expect(mail?.text).toContain('… and 10 more')
})

test('a letter is not sent while an item is being added to it, so that it includes the item', async () => {
  const { id, email } = await makeUser()
  const [first, second] = [await makeThing(id, 'first'), await makeThing(id, 'second')]
  await transaction((tx) => gather(tx, tokenMadeLetter, id, first))
  await transaction(async (tx) => {
    await gather(tx, tokenMadeLetter, id, second)
    expect(await mailsTo(email as string)).toEqual([])
  })
  const [mail, ...more] = await mailsTo(email as string)
  expect(more).toEqual([])
  expect(mail?.text).toContain('“first”')
  expect(mail?.text).toContain('“second”')
})

test('a thing that comes while a letter is on its way has another one', async () => {
  const { id } = await makeUser()
  const [first, second] = [await makeThing(id, 'first'), await makeThing(id, 'second')]
  await transaction((tx) => gather(tx, tokenMadeLetter, id, first))
  let adding: Promise<void> | undefined
  await db.transaction(async (tx) => {
    await tx.update(mails).set({ attempts: 1 }).where(eq(mails.userId, id))
    adding = transaction((other) => gather(other, tokenMadeLetter, id, second))
    await until('the second waits', isAnyoneWaiting)
  })
  await adding
  expect((await lettersOf(id)).map(({ attempts }) => attempts).sort()).toEqual([0, 1])
})
