import { hashSecret } from '@/auth/secrets'
import { now, nowMs } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { badRequest } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { effectiveScopes, isScope, type Scope } from '@/core/scopes'
import type { Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import { narrowCreationsOf } from '../end-clients'
import { covers, unionOf } from '../parameters'
import { CODE_PREFIX } from '../secrets'
import type { Asked } from './check-request'
import {
  changeGrant,
  deleteFamiliesHolding,
  holdClient,
  holdGrant,
  insertCode,
  insertFamily,
  makeGrant,
} from './queries'

const CODE_MS = 60_000

/**
 * Consent: creates the grant and a code for the application. Scopes that the person unticked are revoked, even if allowed before.
 */
export const allow = (asked: Asked, declined: readonly Scope[]): Promise<string> =>
  transaction(async (tx) => {
    const { clientId } = asked.request.client
    if (!(await holdClient(tx, clientId))) throw badRequest(refusals.applicationDeleted)
    return makeCode(tx, await grant(tx, asked, declined), asked)
  })

/** A code without asking, if the person allowed as much before and did not revoke it. */
export const allowAgain = (asked: Asked): Promise<string | undefined> =>
  transaction(async (tx) => {
    const { userId, role } = asked.caller
    const granted = await holdGrant(tx, userId, asked.request.client.clientId)
    const has = (scope: Scope) => covers(granted?.scopes ?? [], [scope], role === 'admin')
    if (!granted || !asked.scopes.every(has)) return undefined
    return makeCode(tx, granted.id, { ...asked, scopes: unionOf(asked.scopes, asked.extras.filter(has)) })
  })

/** One grant per pair: new scopes are added, unticked ones removed. */
async function grant(
  tx: Tx,
  { caller: { userId }, request: { client }, scopes, extras }: Asked,
  declined: readonly Scope[],
): Promise<string> {
  const { clientId } = client
  const id = newId()
  const kept = await makeGrant(tx, { id, userId, clientId, scopes })
  const ended = kept.scopes.filter((scope) => !scopes.includes(scope as Scope) && bringsAny(scope, declined))
  const together = unionOf(
    kept.scopes.filter((scope) => !ended.includes(scope)),
    scopes,
  )
  const isOther = together.join() !== kept.scopes.join()
  // An unused offer does not count as declined.
  const refused = declined.filter((scope) => !extras.includes(scope) || covers(kept.scopes, [scope], true))
  const leftOut = unionOf(kept.declined, refused).filter((scope) => !covers(together, [scope], true))
  if (isOther || leftOut.join() !== kept.declined.join())
    await changeGrant(tx, kept.id, { scopes: together, declined: leftOut })
  if (ended.length > 0) {
    await deleteFamiliesHolding(tx, kept.id, ended)
    await narrowCreationsOf(tx, kept.id, together)
    broadcast(tx, { type: 'access.ended', data: { userId } })
  }
  if (isOther || kept.id === id)
    await emit(tx, 'grant.created', { grantId: kept.id, userId, clientId, scopes: together })
  return kept.id
}

const bringsAny = (scope: string, declined: readonly Scope[]) =>
  isScope(scope) && !effectiveScopes([scope], true).isDisjointFrom(new Set(declined))

async function makeCode(
  tx: Tx,
  grantId: string,
  { request, scopes, challenge, resource }: Asked,
): Promise<string> {
  const [familyId, code] = [newId(), checkedSecret(CODE_PREFIX)]
  await insertFamily(tx, { id: familyId, grantId, scopes, createdAt: now() })
  await insertCode(tx, {
    hash: hashSecret(code),
    familyId,
    redirectUri: request.redirectUri,
    challenge,
    resource,
    expiresAt: new Date(nowMs() + CODE_MS),
  })
  return code
}
