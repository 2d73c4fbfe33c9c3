import { desc, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { DEMO_DOMAIN } from '@/db/migrate/installation'
import { feedTokens } from '@/db/tables/feeds'
import { webhooks } from '@/db/tables/webhooks'

export type People = { administrators: number; demo: number; use: string | null }

export async function findPeople(db: Db): Promise<People> {
  const [row] = await db.execute<People>(sql`
    select (select count(*)::int from users where role = 'admin' and suspended_at is null) as administrators,
      (select count(*)::int from users where email like ${`%@${DEMO_DOMAIN}`}) as demo,
      (select use from installation) as use`)
  return row as People
}

export type Work = {
  relaySeconds: number | null
  reactionSeconds: number | null
  letterSeconds: number | null
  dead: number
}

/** By the database clock, which dates events. */
export async function findWork(db: Db): Promise<Work> {
  const [row] = await db.execute<Work>(sql`
    select (select floor(extract(epoch from now() - min(created_at)))::int from outbox
        where relayed_at is null and tries = 0) as "relaySeconds",
      (select floor(extract(epoch from now() - min(uuid_extract_timestamp(fact_id))))::int from reactions
        where status = 'pending' and attempts = 0) as "reactionSeconds",
      (select floor(extract(epoch from now() - min(due_at)))::int from mails
        where finished_at is null and due_at < now() and attempts = 0) as "letterSeconds",
      (select count(*)::int from reactions where status = 'dead')
        + (select count(*)::int from webhook_messages where status = 'failed') as dead`)
  return row as Work
}

const SAMPLES = 5

/** The newest secrets encrypted with the key. */
export const findSealed = async (db: Db) => ({
  webhooks: await db
    .select({ id: webhooks.id, secret: webhooks.secret })
    .from(webhooks)
    .orderBy(desc(webhooks.createdAt))
    .limit(SAMPLES),
  feeds: await db
    .select({ id: feedTokens.id, sealed: feedTokens.sealed })
    .from(feedTokens)
    .orderBy(desc(feedTokens.id))
    .limit(SAMPLES),
})
