/**
 * What a mail that was not taken means: the server serves nobody now, it knows no such mailbox, it will never take this
 * mail, or it may take it later. A connection that was lost after the mail had begun is `later` too: nobody knows whether
 * it was taken.
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
  // A sender that the server does not like is for the operator to mend, and mails wait for it.
  if (!(Number(responseCode) >= 500) || command === 'MAIL FROM') return 'later'
  if (code === 'EENVELOPE' && command === 'RCPT TO')
    return isUnknown(error as SmtpError) ? 'no-mailbox' : 'refused'
  return 'refused'
}

/** Whether the server said no to this mail, and waits for the next. */
export const isAnswer = (error: unknown) =>
  ['EENVELOPE', 'EMESSAGE'].includes(String((error as SmtpError).code)) && failureOf(error) !== 'away'

/** What the server answered, as numbers alone: its words may repeat an address. */
export const replyOf = (error: unknown): string | undefined =>
  /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3}\b)?/
    .exec(String((error as SmtpError).response ?? ''))?.[0]
    .replace('-', ' ')

/** Nothing of the mail was said yet, or the server says that it is closing (RFC 5321, 3.8). */
const isAway = ({ code, originalCode, responseCode, timeoutType }: SmtpError): boolean =>
  responseCode === 421 ||
  ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL'].includes(String(code)) ||
  (code === 'ESOCKET' && !['ECONNRESET', 'EPIPE'].includes(String(originalCode))) ||
  (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT')

/**
 * Whether it is the mailbox that is refused: one that does not exist or was closed (RFC 3463), and not our reputation, a
 * size or a quota.
 */
const isUnknown = ({ response, responseCode }: SmtpError): boolean => {
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? ''))?.[1]
  return status === undefined
    ? [550, 551, 553].includes(Number(responseCode))
    : /^5\.(1\.([1236]|10)|2\.1)$/.test(status)
}
