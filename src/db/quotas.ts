import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { config } from '@/config/config'
import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from './client'

export type Quota = keyof typeof config.quotas
/** Uploads also have a size quota, and feed subscriptions have no owner: both have their own messages. */
type Counted = Exclude<
  Quota,
  | 'uploadedFiles'
  | 'uploadedBytes'
  | 'subscriptions'
  | 'subscriptionsPerHost'
  | 'filteredSubscriptionsPerHost'
>

/** The message of each quota, with what the person can do. */
const FULL: Record<Counted, (max: number) => string> = {
  groups: refusals.groupsFull,
  events: refusals.eventsFull,
  portfolioItems: refusals.portfolioFull,
  tokens: refusals.tokensFull,
  apps: refusals.appsFull,
  webhooks: refusals.webhooksFull,
  checkinCodes: refusals.checkinCodesFull,
  guests: refusals.guestsFull,
  claimLinks: refusals.claimLinksFull,
  passes: refusals.passesFull,
  passSheets: refusals.sheetsFull,
  jobs: refusals.jobsFull,
}

type QuotaCheck = {
  /** The key column and id of the owner row, locked until the commit. */
  parent: [key: PgColumn, id: string]
  children: PgTable
  which: SQL | undefined
  /** The number of rows to add. */
  more?: number
  /** The message for adding on behalf of another person. */
  full?: (max: number) => string
}

/**
 * Locks the parent, then counts its children: a concurrent insert waits and then sees the new row. The count needs its own
 * statement, since the snapshot of the first is older than the lock.
 */
export async function demandQuota(
  tx: Tx,
  quota: Counted,
  { parent, children, which, more = 1, full = FULL[quota] }: QuotaCheck,
): Promise<void> {
  await lockParent(tx, parent)
  demandWithin(quota, (await tx.$count(children, which)) + more, full)
}

export async function lockParent(tx: Tx, [key, id]: QuotaCheck['parent']): Promise<void> {
  await tx.select({ one: sql`1` }).from(key.table).where(eq(key, id)).for('no key update')
}

export function demandWithin(quota: Quota, amount: number, full: (max: number) => string) {
  const max = config.quotas[quota]
  if (amount > max) throw conflict(full(max))
}
