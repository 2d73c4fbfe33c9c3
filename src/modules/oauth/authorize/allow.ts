import { hashSecret } from '@/auth/hashing'
import { now, nowMs } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { badRequest } from '@/core/errors'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import { covers, unionOf } from '../scopes'
import { CODE_PREFIX } from '../secrets'
import type { Asked } from './examine'
import { holdClient, holdGrant, insertCode, insertFamily, makeGrant, widenGrant } from './queries'

const CODE_MS = 60_000

/** The person said yes: the grant, and a code for the application to fetch its tokens with. */
export const allow = (asked: Asked): Promise<string> =>
  transaction(async (tx) => {
    const { clientId } = asked.door.client
    if (!(await holdClient(tx, clientId))) throw badRequest('The application was deleted meanwhile.')
    return makeCode(tx, await grant(tx, asked), asked)
  })

/** A code without a question, when the person allowed as much before and has not taken it back. */
export const allowAgain = (asked: Asked): Promise<string | undefined> =>
  transaction(async (tx) => {
    const { userId, role } = asked.caller
    const granted = await holdGrant(tx, userId, asked.door.client.clientId)
    if (!granted || !covers(granted.scopes, asked.scopes, role === 'admin')) return undefined
    return makeCode(tx, granted.id, asked)
  })

/** One grant for each pair: what is allowed now comes on top of what was. */
async function grant(tx: Tx, { caller: { userId }, door: { client }, scopes }: Asked): Promise<string> {
  const { clientId } = client
  const id = newId()
  const kept = await makeGrant(tx, { id, userId, clientId, scopes })
  const together = unionOf(kept.scopes, scopes)
  const isWider = together.length > kept.scopes.length
  if (isWider) await widenGrant(tx, kept.id, together)
  if (isWider || kept.id === id)
    await emit(tx, 'grant.created', { grantId: kept.id, userId, clientId, scopes: together })
  return kept.id
}

async function makeCode(
  tx: Tx,
  grantId: string,
  { door, scopes, challenge, resource }: Asked,
): Promise<string> {
  const [familyId, code] = [newId(), checkedSecret(CODE_PREFIX)]
  await insertFamily(tx, { id: familyId, grantId, scopes, createdAt: now() })
  await insertCode(tx, {
    hash: hashSecret(code),
    familyId,
    redirectUri: door.redirectUri,
    challenge,
    resource,
    expiresAt: new Date(nowMs() + CODE_MS),
  })
  return code
}
