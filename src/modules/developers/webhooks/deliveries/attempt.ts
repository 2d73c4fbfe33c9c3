import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { Histogram } from '@/core/metrics'
import { traceparent } from '@/core/trace'
import { readDestination, Unreachable } from '@/outbound/destination'
import { postOutside, type Reply } from '@/outbound/fetch'
import { nextAttemptAt } from '@/outbound/retries'

/** Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each secret that counts. */
function signatureHeaders(
  { id, body }: { id: string; body: string },
  secrets: Uint8Array[],
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
  }
}

const hmac = (secret: Uint8Array, text: string) =>
  new Bun.CryptoHasher('sha256', secret).update(text).digest('base64')

export const TIMEOUT_MS = 10_000
/** The status says all that counts; a body that drips or never ends is nobody's business. */
const ANSWER_BYTES = 0

const attempts = new Histogram(
  'folkmoot_webhook_attempt_duration_seconds',
  'Attempts to deliver a message to a webhook, by whether the receiver took it.',
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
)
const taken = attempts.of({ outcome: 'success' })
const notTaken = attempts.of({ outcome: 'failure' })

/** What came of it, as it is written down. */
export type Result = {
  attemptId: string
  messageId: string
  webhookId: string
  /** Where it was sent. */
  url: string
  attempt: number
  statusCode: number | null
  /** The receiver wants nothing any more. */
  isGone: boolean
  success: boolean
  error: string | null
  durationMs: number | null
  attemptedAt: Date
  nextAttemptAt: Date | null
}

type Message = { id: string; webhookId: string; body: string; attempts: number }

/** Where to, and the secrets that sign. They are opened when it is called: one that cannot be opened fails alone. */
export type Receiver = { url: string; isAdministrators: boolean; secrets: () => Uint8Array[] }

export type Attempted = { result: Result; reply: Reply | undefined; isHidden: boolean }

/** All that is said of a failure where nobody is to learn what is there. */
const HIDDEN_FAULT = 'The receiver could not be reached or did not accept it'

/** Sends a message once and says what came of it. It never throws: a failure is an outcome like any other. */
export async function attemptDelivery(
  { url, isAdministrators, secrets }: Receiver,
  message: Message,
  { timeoutMs = TIMEOUT_MS, bytesMax = ANSWER_BYTES } = {},
): Promise<Attempted> {
  const attemptedAt = now()
  const startedAt = performance.now()
  let reply: Reply | undefined
  let isHidden = false
  let error: string | null
  try {
    isHidden = readDestination(url, isAdministrators).isHidden
    reply = await postOutside({
      url,
      isAdministrators,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Folkmoot-Webhooks/1.0',
        traceparent: traceparent(message.id),
        ...signatureHeaders(message, secrets(), attemptedAt),
      },
      body: message.body,
      timeoutMs,
      bytesMax,
    })
    const fault = faultOf(reply.status)
    error = fault === null || !isHidden ? fault : HIDDEN_FAULT
  } catch (thrown) {
    error = reasonOf(thrown, isHidden)
  }
  const elapsedMs = performance.now() - startedAt
  attempts.observe(error === null ? taken : notTaken, elapsedMs / 1000)
  const attempt = message.attempts + 1
  const isGone = reply?.status === 410
  return {
    reply,
    isHidden,
    result: {
      attemptId: newId(),
      messageId: message.id,
      webhookId: message.webhookId,
      url,
      attempt,
      statusCode: isHidden ? null : (reply?.status ?? null),
      isGone,
      success: error === null,
      error,
      durationMs: isHidden ? null : Math.round(elapsedMs),
      attemptedAt,
      nextAttemptAt:
        error === null || isGone
          ? null
          : nextAttemptAt(attempt, now(), (!isHidden && reply?.headers.get('retry-after')) || null),
    },
  }
}

/** A refusal of our own says nothing of the receiver, so its reason is always shown. */
function reasonOf(thrown: unknown, isHidden: boolean): string {
  if (!(thrown instanceof Unreachable)) return 'The delivery failed on our side'
  return isHidden && thrown.fault !== 'refused' ? HIDDEN_FAULT : thrown.message
}

/** Why an answer is not a success; nothing for one that is. */
function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed`
  if (status === 410) return 'It answered 410: the receiver is gone, so the webhook was switched off'
  return `It answered ${status}`
}
