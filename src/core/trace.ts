import { AsyncLocalStorage } from 'node:async_hooks'
import { randomHex } from './codes'

/** The trace that a request belongs to, as its sender says it (W3C Trace Context). */
export type Trace = { id: string; flags: string; state: string | null }

/** Set while a request that belongs to a trace is answered. One that does not costs nothing. */
export const tracing = new AsyncLocalStorage<Trace>()

/** Later versions may have more behind it. */
const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/
/** As much as everybody has to pass on. */
const STATE = /^[\x20-\x7e]{1,512}$/

/** What is no trace, or not quite one, is left alone: the request is answered as any other. */
export function readTrace(headers: Headers): Trace | undefined {
  const parent = headers.get('traceparent')
  if (parent === null || parent.length > 200) return undefined
  const [, version, id, flags, more] = PARENT.exec(parent) ?? []
  if (id === undefined || flags === undefined || (version === '00' && more !== undefined)) return undefined
  const state = headers.get('tracestate')
  return { id, flags, state: state !== null && STATE.test(state) ? state : null }
}

/**
 * The `traceparent` of a request of ours: in the trace of the request that caused it, else in one with the id of what it
 * is about, so that all attempts at the same are one trace.
 */
export function traceparent(about: string): string {
  const { id, flags } = tracing.getStore() ?? { id: about.replaceAll('-', ''), flags: '00' }
  return `00-${id}-${randomHex(8)}-${flags}`
}

/** What goes along to those whom the operator chose; strangers' receivers are not told what senders wrote into the state. */
export function traceHeaders(): Record<string, string> {
  const trace = tracing.getStore()
  if (trace === undefined) return {}
  return { traceparent: traceparent(trace.id), ...(trace.state !== null && { tracestate: trace.state }) }
}
