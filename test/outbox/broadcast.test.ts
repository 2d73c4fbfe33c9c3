import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pg from 'pg'
import type { BusMessage } from '@/core/events'
import { isConnected, publish, subscribe } from '@/outbox/bus'
import { until } from '../support/processes'

/** Another process, as the database sees it. */
const other = new pg.Client({ connectionString: process.env.DATABASE_URL })
let heard: string[] = []

beforeAll(async () => {
  await until('facts are exchanged', isConnected)
  await other.connect()
  other.on('notification', ({ payload }) => void heard.push(payload ?? ''))
  await other.query('listen folkmoot_facts')
})
afterAll(() => other.end())
beforeEach(() => {
  heard = []
})

const revoked = (length = 10): BusMessage => ({
  type: 'token.revoked',
  data: { tokenId: crypto.randomUUID(), userId: 'x'.repeat(length) },
})

const factsHeard = () => heard.flatMap((payload) => (JSON.parse(payload).facts ?? []) as BusMessage[])
const toldToForget = () => heard.some((payload) => JSON.parse(payload).facts === undefined)

test('a process hears what it says itself once, and not again by way of the database', async () => {
  const own: BusMessage[] = []
  subscribe((facts) => void own.push(...facts))
  const [first, second] = [revoked(), revoked()]
  for (const fact of [first, second]) {
    publish([fact])
    await until('it has gone round', () => factsHeard().some(({ data }) => Bun.deepEquals(data, fact.data)))
  }
  expect(own.filter(({ data }) => Bun.deepEquals(data, first.data))).toHaveLength(1)
})

describe('other processes', () => {
  test('hear everything, however much happens at once', async () => {
    const facts = Array.from({ length: 400 }, () => revoked(60))
    expect(JSON.stringify(facts).length).toBeGreaterThan(40_000)
    publish(facts)
    const last = revoked()
    await until('the facts have come', () => factsHeard().length >= facts.length)
    publish([last])
    await until('the next one has come', () => factsHeard().length > facts.length)
    expect(factsHeard()).toEqual([...facts, last])
  })

  test('forget all where a fact is too large to be sent, or too many are', async () => {
    for (const facts of [[revoked(9000)], Array.from({ length: 1001 }, () => revoked())]) {
      heard = []
      publish(facts)
      const last = revoked()
      await Bun.sleep(0)
      publish([last])
      await until('what came after has come', () =>
        factsHeard().some(
          ({ data }) => 'tokenId' in data && data.tokenId === (last.data as { tokenId: string }).tokenId,
        ),
      )
      expect(toldToForget()).toBe(true)
    }
  })
})
