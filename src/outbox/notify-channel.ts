import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { DatabaseAddress } from '@/config/database-address'
import type { BusMessage } from '@/core/domain-events'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { HOLD_LIFE, setLife } from '@/db/process-life'
import { direct } from '@/db/servers/direct'
import { hold } from '@/db/servers/look'
import { forgetPrimary, primaryOf } from '@/db/servers/primary'
import { deliver, dropCaches, setConnected, setNotify } from './bus'

const CHANNEL = 'folkmoot_facts'
/** PostgreSQL takes less than 8,000 bytes per notification. */
const PAYLOAD_BYTES_MAX = 7000
const FIRST_MS = 50
const RETRY_MS = 100
const PULSE_MS = 5000
/** Beyond this backlog, receivers drop all cached values instead. */
const MESSAGES_MAX = 1000

export type NotifyChannel = { close(): Promise<void> }

/**
 * Carries messages between processes by NOTIFY. All messages of one turn of the event loop go in one statement,
 * outside their transactions: NOTIFY inside would make every commit queue behind one lock.
 */
export function openNotifyChannel(url: string): NotifyChannel {
  const self = crypto.randomUUID()
  const directUrl = direct(url)
  let closed = false
  let client: pg.Client | undefined
  let gathered: BusMessage[] = []
  let sending: Promise<void> | undefined

  setNotify((messages) => {
    gathered.push(...messages)
    sending ??= nextTurn().then(send)
  })

  async function send() {
    while (gathered.length > 0 && !closed) {
      const messages = gathered
      gathered = []
      for (const payload of messages.length > MESSAGES_MAX
        ? [JSON.stringify({ from: self })]
        : packed(self, messages))
        while (!(await notified(payload)) && !closed) await Bun.sleep(RETRY_MS)
    }
    sending = undefined
  }

  /** A dedicated connection: the end of a session must not wait for one of the pool. */
  const notified = (payload: string): Promise<boolean> =>
    (client
      ? client.query('select pg_notify($1, $2)', [CHANNEL, payload])
      : db.execute(sql`select pg_notify(${CHANNEL}, ${payload})`)
    ).then(
      () => true,
      () => false,
    )

  async function listen() {
    // Requests do not need this driver, so they start first.
    await Bun.sleep(FIRST_MS)
    const { default: driver } = await import('pg')
    for (let delayMs = 50; !closed; delayMs = Math.min(delayMs * 2, 1000)) {
      let connection: pg.Client | undefined
      let failure: unknown = new Error('The connection has ended')
      try {
        const opening = opened(driver, await primaryOf(directUrl), (error) => {
          failure = error
        })
        connection = opening.connection
        await connection.connect()
        await connection.query(`listen ${CHANNEL}`)
        await connection.query(HOLD_LIFE)
        client = connection
        delayMs = 50
        setLife(true)
        setConnected(true)
        await Promise.race([opening.lost, silence(connection)])
      } catch (error) {
        failure = error
      }
      if (!closed)
        warnSparingly('the database is not heard: caches are not used until it is', reasonOf(failure))
      setLife(false)
      setConnected(false)
      client = undefined
      forgetPrimary(directUrl)
      connection?.end().catch(() => {})
      if (!closed) await Bun.sleep(delayMs)
    }
  }

  function opened(driver: typeof pg, { address, ssl }: DatabaseAddress, hear: (error: Error) => void) {
    const connection = new driver.Client({
      connectionString: address,
      ssl,
      connectionTimeoutMillis: 2000,
      query_timeout: 2000,
      keepAlive: true,
      application_name: 'folkmoot-notify-channel',
    })
    const lost = new Promise<void>((resolve) => {
      const release = hold(address, () => connection.end().catch(() => {}))
      connection.once('error', (error) => {
        hear(error)
        resolve()
      })
      connection.once('end', () => {
        release()
        resolve()
      })
    })
    connection.on('notification', ({ payload }) => receive(payload))
    return { connection, lost }
  }

  /** Resolves when the connection stops answering: one that was cut silently looks open for hours. */
  async function silence(connection: pg.Client): Promise<void> {
    while (connection === client && !closed) {
      await Bun.sleep(PULSE_MS)
      if (connection !== client || closed) return
      try {
        await connection.query('select 1')
      } catch {
        return
      }
    }
  }

  function receive(payload: string | undefined) {
    // Named `facts` by the previous release, whose processes share the channel.
    const { from, facts: messages } = JSON.parse(payload ?? '{}') as { from?: string; facts?: BusMessage[] }
    if (from === self) return
    if (messages) deliver(messages)
    else dropCaches()
  }

  const listening = listen()
  return {
    async close() {
      await Promise.race([sending, Bun.sleep(1000)])
      closed = true
      await client?.end().catch(() => {})
      await Promise.race([listening, Bun.sleep(1000)])
    },
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

function packed(from: string, messages: BusMessage[]): string[] {
  const whole = JSON.stringify({ from, facts: messages })
  if (Buffer.byteLength(whole) <= PAYLOAD_BYTES_MAX) return [whole]
  // A message that is too large: receivers drop all cached values, which is always correct.
  if (messages.length === 1) return [JSON.stringify({ from })]
  const middle = messages.length >> 1
  return [...packed(from, messages.slice(0, middle)), ...packed(from, messages.slice(middle))]
}
