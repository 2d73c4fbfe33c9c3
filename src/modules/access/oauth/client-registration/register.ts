import { readJson } from '@/http/body'
import { JSON_TYPE, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { introduce } from './issue-client'
import { chargeNew } from './limits'
import { type Metadata, readMetadata } from './metadata'
import { inItsWords } from './refusal'

const BODY_BYTES_MAX = 8 * 1024
const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', pragma: 'no-cache' }

/** An application introduces itself (RFC 7591). Nobody vouches for it, so its addresses are kept and never visited. */
export async function register(visit: Visit): Promise<Response> {
  try {
    const introduced = await introduce(visit, await readBody(visit))
    return respond(visit, 201, JSON.stringify(introduced), HEADERS)
  } catch (error) {
    const refusal = inItsWords(error)
    if (!refusal) throw error
    return respond(visit, refusal.status, JSON.stringify(refusal.body), HEADERS, refusal.headers)
  }
}

async function readBody(visit: Visit): Promise<Metadata> {
  try {
    return readMetadata(await readJson(visit.request, BODY_BYTES_MAX))
  } catch (error) {
    // Invalid metadata counts like a new application.
    await chargeNew(visit)
    throw error
  }
}
