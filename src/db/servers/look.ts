import postgres from 'postgres'
import type { DatabaseAddress } from '@/config/database-address'

const held = new Map<string, Set<() => void>>()

/** Registers a connection with its server, so that both are dropped together. Returns the deregistration. */
export function hold(address: string, giveUp: () => void): () => void {
  const all = held.get(address) ?? new Set()
  held.set(address, all.add(giveUp))
  return () => void all.delete(giveUp)
}

/** Drops all connections to a server; returns their number. */
export function leave(address: string): number {
  const all = [...(held.get(address) ?? [])]
  for (const giveUp of all) giveUp()
  return all.length
}

const CONNECT_SECONDS = 2

export type Look = { pid: number; isReadOnly: boolean }

/** One statement without parameters is one round trip on any connection. */
export const LOOK =
  "select pg_backend_pid() as pid, current_setting('transaction_read_only') = 'on' as \"isReadOnly\""

/** Detects a pooler: it reports its own process number instead of PostgreSQL's. */
export const isPooled = (rows: postgres.RowList<postgres.Row[]>) => rows.state.pid !== rows[0]?.pid

/** One plain connection for a probe. */
export const openForLook = ({ address, ssl }: DatabaseAddress): postgres.Sql =>
  postgres(address, {
    ssl,
    max: 1,
    fetch_types: false,
    connect_timeout: CONNECT_SECONDS,
    onnotice: () => {},
    connection: { application_name: 'folkmoot-look' },
  } as unknown as postgres.Options<Record<string, never>>)
