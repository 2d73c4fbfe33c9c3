import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { isWithoutPromoted } from '@/db/servers/primary'
import { isDraining } from './quiesce'
import { respondJson } from './respond'
import type { Visit } from './visit'

const NO_STORE = { 'cache-control': 'no-store' }

export const healthz = (visit: Visit) => respondJson(visit, 200, { status: 'ok' }, NO_STORE)

/** An external check cannot know this: the process has seen the promotion. */
export const MISSED_PROMOTION = 'the database that takes writes has missed a promotion'

/** Ready: the database is reachable and the process is not draining. */
export async function readyz(visit: Visit): Promise<Response> {
  if (isDraining()) return notReady(visit, 'stopping')
  try {
    await db.execute(sql`select 1`)
    return respondJson(visit, 200, { status: 'ready' }, NO_STORE)
  } catch {
    return notReady(visit, isWithoutPromoted() ? MISSED_PROMOTION : 'database unreachable')
  }
}

const notReady = (visit: Visit, reason: string) =>
  respondJson(
    visit,
    503,
    { error: `Not ready: ${reason}`, code: 'unavailable' },
    { ...NO_STORE, 'retry-after': '1' },
  )
