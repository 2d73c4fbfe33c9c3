import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { follows, onboardingDismissals, portfolioItems } from '@/db/tables/people'
import { users } from '@/db/tables/users'
import { hasMetSomeone } from '@/modules/passes/connections/queries'
import type { Progress } from './steps'

const NOTHING: Progress = {
  hasContent: false,
  joinedGroup: false,
  followsSomeone: false,
  answeredEvent: false,
  metSomeone: false,
  xp: 0,
}

export async function findProgress(db: Db | Tx, userId: string): Promise<Progress> {
  const [row] = await db
    .select({
      hasContent: sql<boolean>`coalesce(${users.bio}, '') <> '' or coalesce(cardinality(${users.socialLinks}), 0) > 0
        or exists (select 1 from ${portfolioItems} where ${portfolioItems.userId} = ${userId})`,
      followsSomeone: sql<boolean>`exists (select 1 from ${follows} where ${follows.followerId} = ${userId})`,
      joinedGroup: sql<boolean>`exists (select from favorites joined join groups home on home.id = joined.group_id
        where joined.user_id = ${userId})`,
      answeredEvent: sql<boolean>`exists (select from rsvps answer join events event on event.id = answer.event_id
        join groups home on home.id = event.group_id where answer.user_id = ${userId} and answer.status <> 'cancelled')`,
      metSomeone: hasMetSomeone(userId),
      xp: users.xp,
    })
    .from(users)
    .where(eq(users.id, userId))
  return row ?? NOTHING
}

export async function findDismissals(db: Db | Tx, userId: string): Promise<Map<string, Date>> {
  const rows = await db.select().from(onboardingDismissals).where(eq(onboardingDismissals.userId, userId))
  return new Map(rows.map(({ step, dismissedAt }) => [step, dismissedAt]))
}

/** Idempotent: the first dismissal counts. */
export const insertDismissals = (tx: Tx, userId: string, steps: readonly string[]) =>
  tx.execute(sql`insert into ${onboardingDismissals} (user_id, step)
    select ${userId}::uuid, unnest(${sql.param(steps)}::text[]) on conflict do nothing`)
