import { config } from '@/config/config'
import { EXPOSED_HEADERS } from './cors'

const POLICY = 'content-security-policy'

type Own = Readonly<Record<string, string>>

/**
 * Headers that every answer of a kind has, made once: copying them costs half of setting each again. One set for paths
 * that any origin may read, one for the others.
 */
export type HeaderSet = { open: Headers; closed: Headers }

export function headerSet(own: Own): HeaderSet {
  const { [POLICY]: policy = "default-src 'none'; frame-ancestors 'none'" } = own
  const base = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // The older header cannot say "anyone": where the policy does, it is left out.
    ...(!policy.includes('frame-ancestors *') && { 'x-frame-options': 'DENY' }),
    [POLICY]: policy,
    ...(config.https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
  const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS }
  return { open: new Headers({ ...base, ...open, ...own }), closed: new Headers({ ...base, ...own }) }
}

const made = new WeakMap<Own, HeaderSet>()

/** The set of a constant record of headers. */
export function setOf(own: Own): HeaderSet {
  let set = made.get(own)
  if (set === undefined) {
    set = headerSet(own)
    made.set(own, set)
  }
  return set
}
