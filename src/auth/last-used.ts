import { now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { touchGrants, touchSessions, touchTokens } from './queries'
import { SESSION_MS } from './sessions'

const REST_MS = 60_000
const FLUSH_MS = 5_000

const seen = { token: new Set<string>(), session: new Set<string>(), grant: new Set<string>() }
let timer: Timer | undefined

/**
 * A used credential; `recordedAt` is the last recorded use. An access token lives only for an hour, so its grant is recorded
 * instead.
 */
export type Used = { kind: keyof typeof seen; id: string; recordedAt: number }

/** Records uses in batches: at most one write a minute per credential. */
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
    // A lost record costs a minute of accuracy; a failed request would cost more.
  }
}
