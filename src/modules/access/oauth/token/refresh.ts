import { hashSecret } from '@/auth/secrets'
import { now, nowMs } from '@/core/clock'
import { isCheckedSecret } from '@/core/codes'
import type { Scope } from '@/core/scopes'
import { transaction } from '@/db/transaction'
import {
  demandWithin,
  needed,
  type Parameters,
  readResource,
  readScopes,
  resourceWithin,
  scopesFor,
} from '../parameters'
import type { Client } from '../queries'
import { invalidGrant } from '../refusal'
import { REFRESH_PREFIX, successorOf } from '../secrets'
import { endFamily } from './end-family'
import { type Given, giveAccess, keepRefreshToken } from './issue'
import { advanceFamily, lockRefreshToken, type RefreshRow } from './queries'

const GRACE_MS = 10_000

/**
 * Rotates a refresh token. A client that lost our response may retry for ten seconds and gets the same successor; any other reuse
 * means theft and revokes the family.
 */
export async function refresh(client: Client, form: Parameters): Promise<Given> {
  const token = needed(form, 'refresh_token')
  const asked = readResource(form.get('resource'))
  if (!isCheckedSecret(REFRESH_PREFIX, token)) throw notAToken()
  const outcome = await transaction(async (tx) => {
    const row = await lockRefreshToken(tx, hashSecret(token))
    if (!row) throw notAToken()
    const kind = classify(row, client)
    if (kind === 'stolen') return { stolen: row }
    if (row.expiresAt <= now() || row.suspendedAt !== null) throw notAToken()
    const scopes = narrowed(row, form.get('scope'))
    const resource = resourceWithin(row.resource, asked)
    const successor = successorOf(row.familyId, row.generation, token)
    if (kind === 'current') {
      const next = { familyId: row.familyId, generation: row.generation + 1, resource: row.resource }
      await keepRefreshToken(tx, next, successor)
      await advanceFamily(tx, row.familyId, row.generation, now())
    }
    return { given: await giveAccess(tx, row.familyId, { scopes, resource }, successor) }
  })
  if (outcome.given) return outcome.given
  await endFamily(outcome.stolen, 'stolen')
  throw notAToken()
}

/** Whether a refresh token is current, just used, or stolen. Presented by another client it is stolen at any age. */
function classify(row: RefreshRow, { clientId }: Client): 'current' | 'repeated' | 'stolen' {
  if (row.clientId !== clientId) return 'stolen'
  if (row.generation === row.currentGeneration) return 'current'
  const isPredecessor = row.generation === row.currentGeneration - 1
  return isPredecessor && row.usedAt !== null && nowMs() - row.usedAt.getTime() <= GRACE_MS
    ? 'repeated'
    : 'stolen'
}

/** The requested scopes: fewer are fine, more need the person. */
function narrowed({ scopes, role }: RefreshRow, scope: string | undefined): Scope[] {
  const isAdministrator = role === 'admin'
  if (scope === undefined) return scopesFor(scopes, isAdministrator)
  const asked = readScopes(scope)
  demandWithin(scopes, asked, isAdministrator)
  return scopesFor(asked, isAdministrator)
}

const notAToken = () => invalidGrant('The refresh token is unknown, expired, used, or not for this client')
