import { callOutside, type Reply } from '@/outbound/fetch'

const TIMEOUT_MS = 5000
export const AGENT = 'Folkmoot-WebSub/1.0'

/** Asks or tells a callback something in words of the protocol. What its own query holds stays before ours. */
export const ask = (callback: string, words: Record<string, string>, bytesMax: number): Promise<Reply> =>
  callOutside({
    method: 'GET',
    url: `${callback}${callback.includes('?') ? '&' : '?'}${new URLSearchParams(words)}`,
    headers: { 'user-agent': AGENT, accept: '*/*', 'accept-encoding': 'identity' },
    body: null,
    timeoutMs: TIMEOUT_MS,
    bytesMax,
  })

/** Tells a callback that there is no such subscription, or none any more (WebSub, 5.2). It is told once, and may not hear. */
export const deny = (callback: string, written: string, reason: string): Promise<unknown> =>
  ask(callback, { 'hub.mode': 'denied', 'hub.topic': written, 'hub.reason': reason }, 0).catch(() => {})
