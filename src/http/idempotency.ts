import { config } from '@/config'
import type { Caller, RunOnce } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { AppError, badRequest, conflict, type ErrorCode, isAppError } from '@/core/errors'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { type Claim, claimKey, forgetClaim, recordOutcome } from '@/db/idempotency'
import { beforeCommit } from '@/db/transaction'
import { pathOf } from './visit'

const KEY = /^[\x21-\x7e]{1,255}$/
const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than any request may run; after this a claim belongs to a process that died. */
const CLAIM_MS = 30_000

type Stored =
  | { ok: unknown }
  | { refused: { code: ErrorCode; message: string; headers: Record<string, string> } }

/**
 * The same caller, key and request is answered once and replayed for a day. The outcome is written in the
 * transaction of the change itself, so a crash between the commit and the answer cannot do it twice.
 */
export function runOnce(request: Request, caller: Caller, input: unknown): RunOnce | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (!KEY.test(key)) throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters')

  return async <T>(secret: boolean, run: () => Promise<T>): Promise<T> => {
    const claim: Claim = {
      id: newId(),
      claim: crypto.randomUUID(),
      userId: caller.userId,
      keyHash: sha256(key),
      requestHash: sha256(`${request.method} ${pathOf(request.url)}\n${JSON.stringify(input)}`),
      claimedUntil: new Date(nowMs() + CLAIM_MS),
    }
    const earlier = await claimKey(db, claim, new Date(nowMs() - DAY_MS))
    if (earlier) return replay<T>(earlier, claim)
    return settle(claim, secret, run)
  }
}

async function settle<T>(claim: Claim, secret: boolean, run: () => Promise<T>): Promise<T> {
  let recorded: { value: unknown } | undefined
  const store = (result: unknown) => (secret ? null : JSON.stringify({ ok: result } satisfies Stored))
  try {
    const result = await beforeCommit.run(async (tx, value) => {
      await recordOutcome(tx, claim, store(value))
      recorded = { value }
    }, run)
    if (!recorded) await recordOutcome(db, claim, store(result))
    else if (config.mode === 'test' && recorded.value !== result)
      throw new Error('An action gives what its transaction gave: that is what is replayed')
    return result
  } catch (error) {
    if (isAppError(error) && isLasting(error)) {
      const refused = { code: error.appCode, message: error.message, headers: { ...error.headers } }
      await recordOutcome(db, claim, JSON.stringify({ refused } satisfies Stored))
    } else await forgetClaim(db, claim).catch(() => {})
    throw error
  }
}

const isLasting = (error: AppError) => error.status < 500 && error.status !== 429

function replay<T>(earlier: NonNullable<Awaited<ReturnType<typeof claimKey>>>, claim: Claim): T {
  if (!Buffer.from(earlier.requestHash).equals(Buffer.from(claim.requestHash)))
    throw conflict('This Idempotency-Key was used for another request')
  if (earlier.claim !== null) throw conflict('A request with this Idempotency-Key is still being answered')
  if (earlier.outcome === null)
    throw conflict('This request was answered already, with a secret that is shown only once')
  const stored = JSON.parse(earlier.outcome) as Stored
  if ('refused' in stored)
    throw new AppError(stored.refused.code, stored.refused.message, stored.refused.headers)
  return stored.ok as T
}

const sha256 = (text: string): Uint8Array => new Bun.CryptoHasher('sha256').update(text).digest()
