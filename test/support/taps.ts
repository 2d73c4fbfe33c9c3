import type { Sql } from 'postgres'
import { randomHex } from '@/core/codes'
import { newPassId } from '@/modules/passes/passes/id'
import type { Seeded } from './seed'

/** Taps of any number from one address, through a proxy that says where they come from. */
export const TAPPED_AT_WILL = {
  RATE_LIMIT_TAP_PER_SECOND: '1000000',
  RATE_LIMIT_USER_PER_HOUR: '1000000',
  TRUSTED_PROXIES: '127.0.0.1',
}

export type Holder = Seeded & { pass: string }

/** Gives each of them a pass, in a database that is not this process's own. */
export async function seedPasses(
  sql: Sql,
  people: Seeded[],
  type: 'qrcode' | 'nfc' = 'qrcode',
): Promise<Holder[]> {
  const holders = people.map((person) => ({ ...person, pass: newPassId() }))
  await sql`insert into passes ${sql(holders.map(({ id, pass }) => ({ id: pass, type, owner_id: id })))}`
  return holders
}

export const newVisitor = () => `visitor=${randomHex(16)}`

/** An address that nobody has used before: Redis may be shared with other runs. */
export function newAddress(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint16Array(3))
  return `2001:db8:${a?.toString(16)}:${b?.toString(16)}:${c?.toString(16)}::1`
}

export type Tapped = {
  status: number
  /** What the visitor was told; undefined where it is not a card. */
  connected: boolean | undefined
}

/** Holds a phone to a pass, with a token, a cookie or nothing. */
export async function tap(
  base: string,
  pass: string,
  { token, ...headers }: { token?: string } & Record<string, string> = {},
): Promise<Tapped> {
  const response = await fetch(`${base}/pass/${pass}`, {
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  })
  const body = (await response.json()) as { data?: { connected: boolean } }
  return { status: response.status, connected: body.data?.connected }
}

/** The statements that a server with METRICS_PORT has sent so far. */
export async function statementsSent(metricsPort: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^folkmoot_database_statements_total (\d+)$/m.exec(text)?.[1])
}
