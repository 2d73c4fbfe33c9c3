import { expect, test } from 'bun:test'
import { OWNER_AT_ONCE, startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { post } from '../../../support/api'
import { leaveOthersOut } from '../../../support/deliveries'
import { until } from '../../../support/processes'
import { openReceiver } from '../../../support/receiver'
import { makeListening, messagesOf, openGate, queue } from './fixtures'

leaveOthersOut()

const FOR_EACH = 16

/** Somebody with so many webhooks at one address. */
async function makeMany(url: string, count: number) {
  const first = await makeListening(url)
  const ids = [first.id]
  while (ids.length < count) {
    const json = { url, eventTypes: ['user.updated'] }
    ids.push((await post('/v1/developer/webhooks', { token: first.token, json })).body.data.id)
  }
  return ids
}

test('one person whose receivers hang leaves room for others, and all of theirs comes in the end', async () => {
  const hanging = openGate()
  const ids = await makeMany(hanging.url, 20)
  for (const id of ids) await queue(id, FOR_EACH)
  const well = openReceiver()
  const stranger = await makeListening(well.url)
  const dispatcher = startDispatcher({ pollMs: 100 })
  await until('they have their share', () => hanging.received.length >= OWNER_AT_ONCE)
  await queue(stranger.id, 1)
  await until('the stranger is told', () => well.received.length === 1)
  expect(hanging.received.length).toBe(OWNER_AT_ONCE)
  hanging.open()
  await until('the rest has come', () => hanging.received.length === ids.length * FOR_EACH)
  await dispatcher.stop()
  expect(new Set(hanging.received.map(({ id }) => id)).size).toBe(ids.length * FOR_EACH)
  hanging.close()
  well.close()
})

test('of the webhooks of one person, the one with the least under way is next', async () => {
  const answers: (() => void)[] = []
  const receiver = openReceiver(async () => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return new Response('ok')
  })
  // One busy webhook more than the share has room for: each of them could take another request.
  const [quiet = '', ...busy] = await makeMany(receiver.url, 2 + OWNER_AT_ONCE / FOR_EACH)
  for (const id of busy) await queue(id, 2 * FOR_EACH)
  const dispatcher = startDispatcher({ pollMs: 100 })
  await until('the others have the whole share', () => answers.length === OWNER_AT_ONCE)
  await queue(quiet, 1)
  const waiting = async () => (await messagesOf(quiet))[0]
  await until('it is taken', async () => (await waiting())?.leaseOwner === dispatcher.id)
  const id = (await waiting())?.id
  // A dispatcher that sends what was claimed later has claimed all that came before.
  const well = openReceiver()
  await queue((await makeListening(well.url)).id, 1)
  await until('it waits in line', () => well.received.length === 1)
  answers[0]?.()
  await until('another is sent', () => answers.length > OWNER_AT_ONCE)
  expect(receiver.received[OWNER_AT_ONCE]?.id).toBe(id as string)
  const stopped = dispatcher.stop()
  for (const answer of answers) answer()
  await stopped
  receiver.close()
  well.close()
})
