import { AsyncLocalStorage } from 'node:async_hooks'
import { randomHex } from './codes'

/** The trace of a request (W3C Trace Context). */
export type Trace = { id: string; flags: string; state: string | null }

/** Set only for a request with a trace, so that others pay nothing. */
export const tracing = new AsyncLocalStorage<Trace>()

/** Later versions may append fields. */
const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/
/** The length that every participant must propagate. */
const STATE = /^[\x20-\x7e]{1,512}$/

/** Ignores an invalid trace: the request is answered as any other. */
export function readTrace(headers: Headers): Trace | undefined {
  const parent = headers.get('traceparent')
  if (parent === null || parent.length > 200) return undefined
  const [, version, id, flags, more] = PARENT.exec(parent) ?? []
  if (id === undefined || flags === undefined || (version === '00' && more !== undefined)) return undefined
  const state = headers.get('tracestate')
  return { id, flags, state: state !== null && STATE.test(state) ? state : null }
}

/**
 * The `traceparent` of an outgoing request: the trace of the request that caused it, or one with the id of its subject, so that
 * all attempts share a trace.
 */
export function traceparent(about: string): string {
  const { id, flags } = tracing.getStore() ?? { id: about.replaceAll('-', ''), flags: '00' }
  return `00-${id}-${randomHex(8)}-${flags}`
}

/** Headers for services that the operator chose; receivers of strangers do not get the tracestate. */
export function traceHeaders(): Record<string, string> {
  const trace = tracing.getStore()
  if (trace === undefined) return {}
  return { traceparent: traceparent(trace.id), ...(trace.state !== null && { tracestate: trace.state }) }
}
