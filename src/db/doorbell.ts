import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { reasonOf } from '@/core/reason'
import { warnSparingly } from '@/log'
import { databaseAddress } from '@/settings/database-address'
import { HOLD_LIFE } from './alive'
import { db } from './client'
import { forgetAll, hear, type Notice, setBell, setHearing } from './facts'

const CHANNEL = 'folkmoot_facts'
/** PostgreSQL takes less than 8,000 bytes per notification. */
const NOTICE_BYTES_MAX = 7000
const FIRST_MS = 50
const RETRY_MS = 100
const PULSE_MS = 5000
/** With more than these waiting, everyone is better off forgetting all. */
const FACTS_MAX = 1000

export type Doorbell = { close(): Promise<void> }

/**
 * Carries facts between processes by NOTIFY. All facts of one turn of the event loop go in one statement,
 * outside their transactions: NOTIFY inside would make every commit queue behind one lock.
 */
export function openDoorbell(url: string): Doorbell {
  const self = crypto.randomUUID()
  const { address, ssl } = databaseAddress(url)
  let closed = false
  let client: pg.Client | undefined
  let gathered: Notice[] = []
  let sending: Promise<void> | undefined

  setBell((facts) => {
    gathered.push(...facts)
    sending ??= nextTurn().then(send)
  })

  async function send() {
    while (gathered.length > 0 && !closed) {
      const facts = gathered
      gathered = []
      for (const notice of facts.length > FACTS_MAX ? [JSON.stringify({ from: self })] : packed(self, facts))
        while (!(await rang(notice)) && !closed) await Bun.sleep(RETRY_MS)
    }
    sending = undefined
  }

  /** On a connection of its own: the end of a session must not wait behind requests for one of the pool's. */
  const rang = (notice: string): Promise<boolean> =>
    (client
      ? client.query('select pg_notify($1, $2)', [CHANNEL, notice])
      : db.execute(sql`select pg_notify(${CHANNEL}, ${notice})`)
    ).then(
      () => true,
      () => false,
    )

  async function listen() {
    // Requests are answered without this driver, so the first of them come before it.
    await Bun.sleep(FIRST_MS)
    const { default: driver } = await import('pg')
    for (let delayMs = 50; !closed; delayMs = Math.min(delayMs * 2, 1000)) {
      const connection = new driver.Client({
        connectionString: address,
        ssl,
        connectionTimeoutMillis: 2000,
        query_timeout: 2000,
        keepAlive: true,
        application_name: 'folkmoot-doorbell',
      })
      let trouble: unknown = new Error('The connection has ended')
      const lost = new Promise<void>((resolve) => {
        connection.once('error', (error) => {
          trouble = error
          resolve()
        })
        connection.once('end', () => resolve())
      })
      connection.on('notification', ({ payload }) => receive(payload))
      try {
        await connection.connect()
        await connection.query(`listen ${CHANNEL}`)
        await connection.query(HOLD_LIFE)
        client = connection
        delayMs = 50
        setHearing(true)
        await Promise.race([lost, silence(connection)])
      } catch (error) {
        trouble = error
      }
      if (!closed)
        warnSparingly('the database is not heard: caches are not used until it is', reasonOf(trouble))
      setHearing(false)
      client = undefined
      connection.end().catch(() => {})
      if (!closed) await Bun.sleep(delayMs)
    }
  }

  /** Ends when the connection no longer answers: a line that is cut without a word looks open for hours. */
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
    const { from, facts } = JSON.parse(payload ?? '{}') as { from?: string; facts?: Notice[] }
    if (from === self) return
    if (facts) hear(facts)
    else forgetAll()
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

function packed(from: string, facts: Notice[]): string[] {
  const whole = JSON.stringify({ from, facts })
  if (Buffer.byteLength(whole) <= NOTICE_BYTES_MAX) return [whole]
  // A fact too large to send: whoever hears of it forgets everything, which is always right.
  if (facts.length === 1) return [JSON.stringify({ from })]
  const middle = facts.length >> 1
  return [...packed(from, facts.slice(0, middle)), ...packed(from, facts.slice(middle))]
}
