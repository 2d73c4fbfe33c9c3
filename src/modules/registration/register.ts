import { hashSecret } from '@/auth/hashing'
import { config } from '@/config'
import { nowMs } from '@/core/clock'
import { rateLimited } from '@/core/errors'
import { db } from '@/db/client'
import { clientAddress } from '@/http/address'
import { readJson } from '@/http/body'
import { charge } from '@/http/limits/hourly'
import { JSON_TYPE, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { newClientId, newClientSecret } from '@/modules/oauth/client-secrets'
import { type Metadata, readMetadata } from './metadata'
import { presentClient } from './present'
import { insertClient } from './queries'
import { inItsWords } from './refusal'

const BODY_BYTES_MAX = 8 * 1024

const HOUR_MS = 3_600_000
const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', pragma: 'no-cache' }

/** An application introduces itself (RFC 7591). Nobody vouches for it, so its addresses are kept and never visited. */
export async function register(visit: Visit): Promise<Response> {
  try {
    await takeTurn(visit)
    const metadata = readMetadata(await readJson(visit.request, BODY_BYTES_MAX))
    return respond(visit, 201, JSON.stringify(await keep(metadata)), HEADERS)
  } catch (error) {
    const refusal = inItsWords(error)
    if (!refusal) throw error
    return respond(visit, refusal.status, JSON.stringify(refusal.body), HEADERS, refusal.headers)
  }
}

/** So many an hour for each address, whether they succeed or not. */
async function takeTurn(visit: Visit): Promise<void> {
  const key = `register:${clientAddress(visit.request)}`
  const verdict = await charge({ key, limit: config.rateLimits.registerPerHour, windowMs: HOUR_MS }, 1)
  if (verdict.allowed) return
  visit.budget = verdict
  throw rateLimited(Math.max(1, Math.ceil((verdict.resetAtMs - nowMs()) / 1000)))
}

async function keep(metadata: Metadata) {
  const authMethod = metadata.token_endpoint_auth_method ?? 'client_secret_basic'
  const secret = authMethod === 'none' ? undefined : newClientSecret()
  const row = await insertClient(db, {
    clientId: newClientId(),
    name: metadata.client_name,
    redirectUris: metadata.redirect_uris,
    website: metadata.client_uri,
    logoUri: metadata.logo_uri,
    policyUri: metadata.policy_uri,
    tosUri: metadata.tos_uri,
    authMethod,
    secretHash: secret ? hashSecret(secret) : null,
    scopes: metadata.scopes,
  })
  return presentClient(row, secret)
}
