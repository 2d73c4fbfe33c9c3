import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { db } from './client'
import { forgetAll, hear, type Notice, setBell, setHearing } from './facts'

const CHANNEL = 'folkmoot_facts'
/** PostgreSQL takes less than 8,000 bytes per notification. */
const NOTICE_BYTES_MAX = 7000
const FIRST_MS = 50

export type Doorbell = { close(): Promise<void> }

/**
 * Carries facts between processes by NOTIFY. All facts of one turn of the event loop go in one statement,
 * outside their transactions: NOTIFY inside would make every commit queue behind one lock.
 */
export function openDoorbell(url: string): Doorbell {
  const self = crypto.randomUUID()
  let closed = false
  let client: pg.Client | undefined
  let gathered: Notice[] = []

  setBell((facts) => {
    if (gathered.length === 0) setImmediate(send)
    gathered.push(...facts)
  })

  async function send() {
    const facts = gathered
    gathered = []
    for (const notice of packed(self, facts)) {
      // Best effort: the relay announces every fact once more, and memories end by themselves.
      await db.execute(sql`select pg_notify(${CHANNEL}, ${notice})`).catch(() => {})
    }
  }

  async function listen() {
    // Requests are answered without this driver, so the first of them come before it.
    await Bun.sleep(FIRST_MS)
    const { default: driver } = await import('pg')
    for (let delayMs = 50; !closed; delayMs = Math.min(delayMs * 2, 1000)) {
      const connection = new driver.Client({
        connectionString: url,
        connectionTimeoutMillis: 2000,
        keepAlive: true,
        application_name: 'folkmoot-doorbell',
      })
      const lost = new Promise<void>((resolve) => {
        connection.once('error', () => resolve())
        connection.once('end', () => resolve())
      })
      connection.on('notification', ({ payload }) => receive(payload))
      try {
        await connection.connect()
        await connection.query(`listen ${CHANNEL}`)
        client = connection
        delayMs = 50
        setHearing(true)
        await lost
      } catch {
        // The next round tries again.
      }
      setHearing(false)
      client = undefined
      connection.end().catch(() => {})
      if (!closed) await Bun.sleep(delayMs)
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
      closed = true
      await client?.end().catch(() => {})
      await Promise.race([listening, Bun.sleep(1000)])
    },
  }
}

function packed(from: string, facts: Notice[]): string[] {
  const whole = JSON.stringify({ from, facts })
  if (Buffer.byteLength(whole) <= NOTICE_BYTES_MAX) return [whole]
  // A fact too large to send: whoever hears of it forgets everything, which is always right.
  if (facts.length === 1) return [JSON.stringify({ from })]
  const middle = facts.length >> 1
  return [...packed(from, facts.slice(0, middle)), ...packed(from, facts.slice(middle))]
}
