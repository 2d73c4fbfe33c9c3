import type { Static } from '@sinclair/typebox'
import { hashSecret } from '@/auth/secrets'
import { config } from '@/config/config'
import { now, nowMs } from '@/core/clock'
import { rateLimited } from '@/core/errors'
import { db } from '@/db/client'
import { clientAddress } from '@/http/address'
import { charge } from '@/http/limits/hourly'
import { secondsLeft } from '@/http/limits/limiter'
import type { Visit } from '@/http/visit'
import { touchClient } from '../queries'
import { newClientId, newClientSecret } from '../secrets'
import type { Metadata } from './metadata'
import { type ClientRow, findPublicClient, insertClient, isRegistered } from './queries'
import type { Registered } from './schema'

const HOUR_MS = 3_600_000

/**
 * Hosted agents share an address and register for each user with the same metadata. So the limit counts distinct applications per
 * address; repeats have thirty times the limit.
 */
const AGAIN = 30

export const chargeNew = (visit: Visit) => take(visit, 'register', config.rateLimits.registerPerHour)

/** A repeat, which stores another secret. */
export const chargeAgain = (visit: Visit) =>
  take(visit, 'register-again', config.rateLimits.registerPerHour * AGAIN)

async function take(visit: Visit, kind: string, limit: number): Promise<void> {
  const key = `${kind}:${clientAddress(visit.request)}`
  const verdict = await charge({ key, limit, windowMs: HOUR_MS }, 1)
  if (verdict.allowed) return
  visit.budget = verdict
  throw rateLimited(secondsLeft(verdict))
}

/**
 * Issues a client id. A public client with known metadata gets the existing id, as RFC 7591 (3.2.1) allows, and stores nothing. A
 * confidential one gets its own.
 */
export async function introduce(visit: Visit, metadata: Metadata) {
  const said = wordsOf(metadata)
  const registrationHash = hashSecret(JSON.stringify(said))
  if (said.authMethod === 'none') {
    const known = await findRegistered(registrationHash)
    if (known) return presentClient(known, undefined)
    await chargeNew(visit)
  } else await ((await isRegistered(db, registrationHash)) ? chargeAgain : chargeNew)(visit)
  const secret = said.authMethod === 'none' ? undefined : newClientSecret()
  const row = await insertClient(
    db,
    { ...said, clientId: newClientId(), secretHash: secret ? hashSecret(secret) : null, registrationHash },
    now(),
  )
  return presentClient(row, secret)
}

/** The stored metadata in a fixed order, for a stable hash. */
const wordsOf = (metadata: Metadata) => ({
  name: metadata.client_name,
  redirectUris: metadata.redirect_uris,
  website: metadata.client_uri ?? null,
  logoUri: metadata.logo_uri ?? null,
  policyUri: metadata.policy_uri ?? null,
  tosUri: metadata.tos_uri ?? null,
  authMethod: metadata.token_endpoint_auth_method ?? ('client_secret_basic' as const),
  scopes: metadata.scopes,
})

const REST_MS = 3_600_000

/** Marks the application as used before its id is issued, because a sweep may be about to delete it. */
async function findRegistered(hash: Uint8Array): Promise<ClientRow | undefined> {
  const row = await findPublicClient(db, hash)
  if (!row || nowMs() - (row.lastUsedAt ?? row.createdAt).getTime() < REST_MS) return row
  return (await touchClient(db, row.clientId, now())) ? row : undefined
}

/** The registered metadata in full, as RFC 7591 requires, without omitted fields. */
const presentClient = (row: ClientRow, secret: string | undefined): Static<typeof Registered> => ({
  client_id: row.clientId,
  ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
  client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
  redirect_uris: row.redirectUris,
  client_name: row.name,
  token_endpoint_auth_method: row.authMethod,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  ...(row.scopes && { scope: row.scopes.join(' ') }),
  ...(row.website && { client_uri: row.website }),
  ...(row.logoUri && { logo_uri: row.logoUri }),
  ...(row.policyUri && { policy_uri: row.policyUri }),
  ...(row.tosUri && { tos_uri: row.tosUri }),
})
