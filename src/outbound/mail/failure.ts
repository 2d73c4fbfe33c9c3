/**
 * The meaning of a failure: the server is down, the mailbox is unknown, the mail is refused for good, or it may be accepted
 * later. A connection lost after DATA is `later` too: its outcome is unknown.
 */
export type Failure = 'away' | 'no-mailbox' | 'refused' | 'later'

type SmtpError = {
  code?: unknown
  command?: unknown
  originalCode?: unknown
  response?: unknown
  responseCode?: unknown
  timeoutType?: unknown
}

export function failureOf(error: unknown): Failure {
  const { code, command, responseCode } = error as SmtpError
  if (isAway(error as SmtpError)) return 'away'
  // The operator must fix a refused sender, and mail waits for that.
  if (!(Number(responseCode) >= 500) || command === 'MAIL FROM') return 'later'
  if (code === 'EENVELOPE' && command === 'RCPT TO')
    return isUnknown(error as SmtpError) ? 'no-mailbox' : 'refused'
  return 'refused'
}

/** Whether the server refused only this mail. */
export const isAnswer = (error: unknown) =>
  ['EENVELOPE', 'EMESSAGE'].includes(String((error as SmtpError).code)) && failureOf(error) !== 'away'

/** The numeric reply: its text may repeat an address. */
export const replyOf = (error: unknown): string | undefined =>
  /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3}\b)?/
    .exec(String((error as SmtpError).response ?? ''))?.[0]
    .replace('-', ' ')

/** Nothing of the mail was sent, or the server is closing (RFC 5321, 3.8). */
const isAway = ({ code, originalCode, responseCode, timeoutType }: SmtpError): boolean =>
  responseCode === 421 ||
  ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL'].includes(String(code)) ||
  (code === 'ESOCKET' && !['ECONNRESET', 'EPIPE'].includes(String(originalCode))) ||
  (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT')

/** Whether the mailbox does not exist or was closed (RFC 3463), as opposed to reputation, size or quota. */
const isUnknown = ({ response, responseCode }: SmtpError): boolean => {
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? ''))?.[1]
  return status === undefined
    ? [550, 551, 553].includes(Number(responseCode))
    : /^5\.(1\.([1236]|10)|2\.1)$/.test(status)
}
