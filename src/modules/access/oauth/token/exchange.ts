import { hashSecret } from '@/auth/secrets'
import { now, nowMs } from '@/core/clock'
import { checkedSecret, isCheckedSecret } from '@/core/codes'
import { transaction } from '@/db/transaction'
import { needed, type Parameters, readResource, resourceWithin, scopesFor } from '../parameters'
import type { Client } from '../queries'
import { invalidGrant, invalidRequest } from '../refusal'
import { CODE_PREFIX, isWellFormed, REFRESH_PREFIX, verifies } from '../secrets'
import { endFamily } from './end-family'
import { type Given, giveAccess, keepRefreshToken } from './issue'
import { lockCode, useCode } from './queries'

type Used = { usedAt: Date | null; redirectUri: string; challenge: string }

type Shown = { code: string; redirectUri: string; verifier: string; resource: string | null }

/**
 * Exchanges an authorization code. A reused code revokes everything it issued; concurrent duplicates of the same exchange are
 * answered once and keep their tokens.
 */
export async function exchange(client: Client, form: Parameters): Promise<Given> {
  const shown = readShown(form)
  const hash = hashSecret(shown.code)
  const outcome = await transaction(async (tx) => {
    const code = await lockCode(tx, hash)
    if (!code || code.clientId !== client.clientId) throw notACode()
    if (code.usedAt !== null && !isOverlapping(code, shown)) return { stolen: code }
    if (code.usedAt !== null) throw notACode()
    demandMatchingRequest(code, shown)
    const resource = resourceWithin(code.resource, shown.resource)
    if (code.suspendedAt !== null) throw notACode()
    const scopes = scopesFor(code.scopes, code.role === 'admin')
    // The code is used up only here: after an error above, the client can correct its request.
    if (!(await useCode(tx, hash, now()))) throw notACode()
    const refreshToken = checkedSecret(REFRESH_PREFIX)
    await keepRefreshToken(
      tx,
      { familyId: code.familyId, generation: 0, resource: code.resource },
      refreshToken,
    )
    return { given: await giveAccess(tx, code.familyId, { scopes, resource }, refreshToken) }
  })
  if (outcome.given) return outcome.given
  await endFamily(outcome.stolen, 'stolen')
  throw notACode()
}

function readShown(form: Parameters): Shown {
  const code = needed(form, 'code')
  const redirectUri = needed(form, 'redirect_uri')
  const verifier = needed(form, 'code_verifier')
  if (!isWellFormed(verifier))
    throw invalidRequest('code_verifier must be 43 to 128 letters, digits or any of - . _ ~')
  const resource = readResource(form.get('resource'))
  if (!isCheckedSecret(CODE_PREFIX, code)) throw notACode()
  return { code, redirectUri, verifier, resource }
}

const OVERLAP_MS = 10_000

/** The same verifier proves that the same client sent both. */
const isOverlapping = (code: Used, shown: Shown) =>
  code.usedAt !== null &&
  nowMs() - code.usedAt.getTime() <= OVERLAP_MS &&
  shown.redirectUri === code.redirectUri &&
  verifies(shown.verifier, code.challenge)

/** Checks the redirect URI and PKCE verifier of the code. */
function demandMatchingRequest(asked: { redirectUri: string; challenge: string }, shown: Shown): void {
  if (shown.redirectUri !== asked.redirectUri)
    throw invalidGrant('redirect_uri is not the one that the code was asked for with')
  if (!verifies(shown.verifier, asked.challenge))
    throw invalidGrant('code_verifier does not fit the code_challenge')
}

/** One message for every fault of a code, so that a guesser learns nothing. */
const notACode = () => invalidGrant('The code is unknown, expired, used, or not for this client')
