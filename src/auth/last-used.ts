import { now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { touchGrants, touchSessions, touchTokens } from './queries'
import { SESSION_MS } from './sessions'

const REST_MS = 60_000
const FLUSH_MS = 5_000

const seen = { token: new Set<string>(), session: new Set<string>(), grant: new Set<string>() }
let timer: Timer | undefined

/**
 * A credential that was used; `recordedAt` is when that was last written. An access token lives for an hour only, so
 * the use is recorded for its grant.
 */
export type Used = { kind: keyof typeof seen; id: string; recordedAt: number }

/** Records a use without a write per request: at most one a minute for each credential, many at a time. */
export function recordUse(credential: Used) {
  const at = nowMs()
  if (at - credential.recordedAt < REST_MS) return
  credential.recordedAt = at
  seen[credential.kind].add(credential.id)
  timer ??= setTimeout(flushLastUsed, FLUSH_MS)
}

export async function flushLastUsed(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const [tokens, sessions, grants] = [[...seen.token], [...seen.session], [...seen.grant]]
  for (const ids of Object.values(seen)) ids.clear()
  try {
    if (tokens.length > 0) await touchTokens(db, tokens, now())
    if (grants.length > 0) await touchGrants(db, grants, now())
    if (sessions.length > 0) await touchSessions(db, sessions, now(), new Date(nowMs() + SESSION_MS))
  } catch {
    // A use that is not recorded costs a minute of accuracy; a failed request would cost more.
  }
}
