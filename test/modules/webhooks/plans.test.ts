import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { db, queueDb } from '@/db/client'
import { claiming, settling } from '@/modules/webhooks/dispatch/queries'

/** The plan that a connection keeps, whatever the values: each scan of the messages with the condition it goes by. */
async function scansOfMessages(on: typeof db, statement: SQL): Promise<string[]> {
  const text = new PgDialect().sqlToQuery(statement).sql
  const lines = (await on.execute(sql.raw(`explain (generic_plan, costs off) ${text}`))).map((row) =>
    String(row['QUERY PLAN']),
  )
  return lines.flatMap((line, i) =>
    / on webhook_messages/.test(line) && /Scan/.test(line)
      ? [`${line.trim()} ${/Index Cond|Filter/.test(lines[i + 1] ?? '') ? lines[i + 1]?.trim() : ''}`]
      : [],
  )
}

const claim = claiming({
  at: now(),
  leaseOwner: newId(),
  leaseUntil: now(),
  limit: 100,
  failingLimit: 10,
  each: 10,
  failingAfter: 5,
  inHand: {},
})

// A queue that is empty when a plan is made has a hundred thousand rows a minute later, and keeps the plan.
test('messages are taken and settled by index, also with plans made when there were none', async () => {
  await db.execute(sql`analyze webhook_messages`)
  for (const statement of [claim, settling(newId(), [])]) {
    const scans = await scansOfMessages(queueDb, statement)
    expect(scans.length).toBeGreaterThan(0)
    for (const scan of scans) {
      expect(scan).toMatch(/^-> +Index (Only )?Scan using webhook_messages_(due|pkey) /)
      // Beginning at the first receiver of all is the one walk without a place to start from.
      if (!scan.includes('Index Only Scan')) expect(scan).toMatch(/Index Cond: \(\(*(id|webhook_id) = /)
    }
  }
})
