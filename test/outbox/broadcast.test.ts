import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pg from 'pg'
import type { BusMessage } from '@/core/domain-events'
import { isConnected, publish, subscribe } from '@/outbox/bus'
import { until } from '../support/processes'

/** Another process, as the database sees it. */
const other = new pg.Client({ connectionString: process.env.DATABASE_URL })
let heard: string[] = []

beforeAll(async () => {
  await until('messages are exchanged', isConnected)
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

const messagesHeard = () => heard.flatMap((payload) => (JSON.parse(payload).facts ?? []) as BusMessage[])
const toldToDrop = () => heard.some((payload) => JSON.parse(payload).facts === undefined)

test('a process receives its own message once, not again through the database', async () => {
  const own: BusMessage[] = []
  subscribe((messages) => void own.push(...messages))
  const [first, second] = [revoked(), revoked()]
  for (const message of [first, second]) {
    publish([message])
    await until('it has gone round', () =>
      messagesHeard().some(({ data }) => Bun.deepEquals(data, message.data)),
    )
  }
  expect(own.filter(({ data }) => Bun.deepEquals(data, first.data))).toHaveLength(1)
})

describe('other processes', () => {
  test('receive all messages, also in bursts', async () => {
    const messages = Array.from({ length: 400 }, () => revoked(60))
    expect(JSON.stringify(messages).length).toBeGreaterThan(40_000)
    publish(messages)
    const last = revoked()
    await until('the messages have come', () => messagesHeard().length >= messages.length)
    publish([last])
    await until('the next one has come', () => messagesHeard().length > messages.length)
    expect(messagesHeard()).toEqual([...messages, last])
  })

  test('drop their caches if a message is too large, or too many are sent', async () => {
    for (const messages of [[revoked(9000)], Array.from({ length: 1001 }, () => revoked())]) {
      heard = []
      publish(messages)
      const last = revoked()
      await Bun.sleep(0)
      publish([last])
      await until('what came after has come', () =>
        messagesHeard().some(
          ({ data }) => 'tokenId' in data && data.tokenId === (last.data as { tokenId: string }).tokenId,
        ),
      )
      expect(toldToDrop()).toBe(true)
    }
  })
})
