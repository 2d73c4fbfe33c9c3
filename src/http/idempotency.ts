import { config } from '@/config/config'
import type { Caller, RunOnce } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { AppError, badRequest, conflict, type ErrorCode, isAppError } from '@/core/errors'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { type Claim, claimKey, forgetClaims, recordOutcome } from '@/db/idempotency'
import { liveProcessId } from '@/db/process-life'
import { beforeCommit } from '@/db/transaction'
import { pathOf } from './visit'

const KEY = /^[\x21-\x7e]{1,255}$/
const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than any request may run: an older claim belongs to a dead process. */
const CLAIM_MS = 30_000
const RELEASE_MS = 250
const UNRELEASED_MAX = 10_000
/** Longer answers are not stored: a day of them would fill the database. */
const REPLAY_BYTES_MAX = 64 * 1024

type Stored =
  | { ok: unknown }
  | { tooLarge: true }
  | { refused: { code: ErrorCode; message: string; headers: Record<string, string> } }

/** A key, with the verb and path of its request, which the input lacks. */
export type Keyed = { key: string; asked: string }

/** Reads the `Idempotency-Key` header of a change. */
export function keyOfHeader({ request }: { request: Request | null }): Keyed | undefined {
  if (request?.method !== 'POST') return undefined
  const key = request.headers.get('idempotency-key')
  return key === null ? undefined : { key, asked: `${request.method} ${pathOf(request.url)}` }
}

/**
 * The same caller, key and request runs once and is replayed for a day. The outcome is written in the transaction of the change,
 * so a crash between commit and answer cannot repeat it.
 */
export function runOnce({ key, asked }: Keyed, caller: Caller, input: unknown): RunOnce {
  if (!KEY.test(key)) throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters')

  return async <T>(secret: boolean, run: () => Promise<T>): Promise<T> => {
    const claim: Claim = {
      id: newId(),
      claim: crypto.randomUUID(),
      userId: caller.userId,
      keyHash: sha256(key),
      requestHash: sha256(`${asked}\n${JSON.stringify(input)}`),
      claimedUntil: new Date(nowMs() + CLAIM_MS),
      holder: liveProcessId(),
    }
    const earlier = await claimKey(db, claim, new Date(nowMs() - DAY_MS)).catch((error) => {
      // The claim may exist although its statement failed: the answer can be lost.
      if (!isAppError(error) || !isLasting(error)) releaseLater(claim)
      throw error
    })
    if (earlier) return replay<T>(earlier, claim)
    return runAndRecord(claim, secret, run)
  }
}

async function runAndRecord<T>(claim: Claim, secret: boolean, run: () => Promise<T>): Promise<T> {
  let recorded: { value: unknown } | undefined
  const store = (result: unknown) =>
    secret ? null : bounded(JSON.stringify({ ok: result } satisfies Stored))
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
    } else await release(claim)
    throw error
  }
}

/** Releases the key for immediate reuse. */
const release = (claim: Claim): Promise<unknown> => forgetClaims(db, [claim]).catch(() => releaseLater(claim))

const unreleased = new Set<Claim>()
let isReleasing = false

/** Releases the key once the database is back; the claim would expire much later. */
function releaseLater(claim: Claim) {
  if (unreleased.size < UNRELEASED_MAX) unreleased.add(claim)
  if (!isReleasing) void releaseAll()
}

async function releaseAll(): Promise<void> {
  isReleasing = true
  while (unreleased.size > 0) {
    await Bun.sleep(RELEASE_MS)
    const claims = [...unreleased]
    const isReleased = await forgetClaims(db, claims).then(
      () => true,
      () => false,
    )
    for (const claim of claims)
      if (isReleased || claim.claimedUntil.getTime() < nowMs()) unreleased.delete(claim)
  }
  isReleasing = false
}

const bounded = (stored: string): string =>
  Buffer.byteLength(stored) > REPLAY_BYTES_MAX ? JSON.stringify({ tooLarge: true } satisfies Stored) : stored

const isLasting = (error: AppError) => error.status < 500 && error.status !== 429

function replay<T>(earlier: NonNullable<Awaited<ReturnType<typeof claimKey>>>, claim: Claim): T {
  if (!Buffer.from(earlier.requestHash).equals(Buffer.from(claim.requestHash)))
    throw conflict('This Idempotency-Key was used for another request')
  if (earlier.claim !== null)
    throw new AppError('conflict', 'A request with this Idempotency-Key is still being answered: ask again', {
      'retry-after': '1',
    })
  if (earlier.outcome === null)
    throw conflict('This request was answered already, with a secret that is shown only once')
  const stored = JSON.parse(earlier.outcome) as Stored
  if ('refused' in stored)
    throw new AppError(stored.refused.code, stored.refused.message, stored.refused.headers)
  if ('tooLarge' in stored)
    throw conflict('This request was answered already, and its answer was too large to be kept')
  return stored.ok as T
}

const sha256 = (text: string): Uint8Array => new Bun.CryptoHasher('sha256').update(text).digest()
