import { badRequest, invalidField } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { nameOf, readDestination, Unreachable, vettedAddresses } from '@/outbound/destination'

export type Asked = {
  mode: 'subscribe' | 'unsubscribe'
  /** As the subscriber wrote it. */
  written: string
  callback: string
  callbackHost: string
  leaseSeconds: number
  secret: string | null
}

const SECRET_BYTES_MAX = 200

/** What a subscriber asks for. Fields of other hubs and earlier versions mean nothing to us. */
export async function readAsked(form: URLSearchParams): Promise<Asked> {
  const mode = once(form, 'hub.mode')
  if (mode !== 'subscribe' && mode !== 'unsubscribe')
    throw invalidField('hub.mode', 'must be subscribe or unsubscribe')
  return {
    mode,
    written: once(form, 'hub.topic'),
    ...(await readCallback(once(form, 'hub.callback'))),
    leaseSeconds: readLease(once(form, 'hub.lease_seconds')),
    secret: readSecret(once(form, 'hub.secret')),
  }
}

function once(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name)
  if (more.length > 0) throw badRequest(refusals.repeatedField)
  return value
}

/** The same rules as for webhooks. One whose name does not resolve yet is judged when it is dialled. */
async function readCallback(text: string): Promise<Pick<Asked, 'callback' | 'callbackHost'>> {
  try {
    const destination = readDestination(text)
    await vettedAddresses(destination).catch((error) => {
      if (!(error instanceof Unreachable) || error.fault === 'refused') throw error
    })
    return { callback: destination.url.href, callbackHost: nameOf(destination.url) }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    throw invalidField('hub.callback', 'must be an https address that can be reached from the internet')
  }
}

/** Hubs decide how long a lease is; what is too long or too short is brought within bounds. */
function readLease(text: string): number {
  if (text === '') return LEASE_DAYS.usual * DAY_SECONDS
  if (!/^\d{1,15}$/.test(text)) throw invalidField('hub.lease_seconds', 'must be a whole number of seconds')
  return Math.min(Math.max(Number(text), LEASE_DAYS.min * DAY_SECONDS), LEASE_DAYS.max * DAY_SECONDS)
}

function readSecret(text: string): string | null {
  if (Buffer.byteLength(text) > SECRET_BYTES_MAX)
    throw invalidField('hub.secret', `may have at most ${SECRET_BYTES_MAX} bytes`)
  return text || null
}

const DAY_SECONDS = 24 * 60 * 60

/** How long a subscription lasts unless it is renewed. */
const LEASE_DAYS = { min: 1, usual: 10, max: 30 }
