import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { Unreachable } from '@/outbound/destination'
import { postOutside, type Reply } from '@/outbound/fetch'
import { nextAttemptAt } from '../retries'
import { signatureHeaders } from '../signature'

export const TIMEOUT_MS = 10_000
/** The status says all that counts; a body that drips or never ends is nobody's business. */
const ANSWER_BYTES = 0

/** What came of it, as it is written down. */
export type Result = {
  attemptId: string
  messageId: string
  webhookId: string
  /** Where it was sent. */
  url: string
  attempt: number
  statusCode: number | null
  success: boolean
  error: string | null
  durationMs: number
  attemptedAt: Date
  nextAttemptAt: Date | null
}

type Message = { id: string; webhookId: string; body: string; attempts: number }

/** Where to, and the secrets that sign. They are opened when it is called: one that cannot be opened fails alone. */
export type Receiver = { url: string; secrets: () => Uint8Array[] }

export type Attempted = { result: Result; reply: Reply | undefined }

/** Sends a message once and says what came of it. It never throws: a failure is an outcome like any other. */
export async function attemptDelivery(
  { url, secrets }: Receiver,
  message: Message,
  { timeoutMs = TIMEOUT_MS, bytesMax = ANSWER_BYTES } = {},
): Promise<Attempted> {
  const attemptedAt = now()
  const startedAt = performance.now()
  let reply: Reply | undefined
  let error: string | null
  try {
    reply = await postOutside({
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Folkmoot-Webhooks/1.0',
        ...signatureHeaders(message, secrets(), attemptedAt),
      },
      body: message.body,
      timeoutMs,
      bytesMax,
    })
    error = faultOf(reply.status)
  } catch (thrown) {
    error = thrown instanceof Unreachable ? thrown.message : 'The delivery failed on our side'
  }
  const attempt = message.attempts + 1
  const isGone = reply?.status === 410
  return {
    reply,
    result: {
      attemptId: newId(),
      messageId: message.id,
      webhookId: message.webhookId,
      url,
      attempt,
      statusCode: reply?.status ?? null,
      success: error === null,
      error,
      durationMs: Math.round(performance.now() - startedAt),
      attemptedAt,
      nextAttemptAt:
        error === null || isGone
          ? null
          : nextAttemptAt(attempt, now(), reply?.headers.get('retry-after') ?? null),
    },
  }
}

/** Why an answer is not a success; nothing for one that is. */
function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed`
  if (status === 410) return 'It answered 410: the receiver is gone, so the webhook was switched off'
  return `It answered ${status}`
}
