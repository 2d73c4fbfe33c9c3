import { queueDb } from '@/db/client'
import { type Lane, runDue } from '@/delivery/engine'
import { isMailServerUp } from '@/outbound/mail/send'
import type { Letter } from './letter'
import { hasAwaitedUnderWay, MAIL_LANES, type MailRow } from './queries'
import { sendTaken, takeMails } from './send'

/** More for awaited letters: one person's slow mailbox must not fill the lane. */
const AT_ONCE = { awaited: 8, urgent: 4, other: 2 }

/** One lane each for awaited letters, such as sign-in links, for urgent ones and for the rest, so that no backlog delays the others. */
export function mailLanes(letters: readonly Letter[]): Lane<MailRow>[] {
  const byName = new Map(letters.map((letter) => [letter.name, letter]))
  return MAIL_LANES.map((lane) => ({
    name: 'mail',
    wakesOn: ({ type }) => type === 'mails.due',
    atOnce: AT_ONCE[lane],
    claim: ({ limit }) => takeMails(limit, lane),
    run: (row) => sendTaken(byName, row),
    remote: { name: 'the mail server', isUp: isMailServerUp },
  }))
}

const PATIENCE_MS = 2000
let sendingAll: Promise<void> | null = null
let sendingNext: Promise<void> | null = null

/** Sends everything due. Concurrent callers share the next run, which sees their letters. */
export function sendAllDue(letters: readonly Letter[]): Promise<void> {
  if (sendingAll === null) {
    sendingAll = sendOnce(letters).finally(() => {
      sendingAll = null
    })
    return sendingAll
  }
  sendingNext ??= sendingAll
    .catch(() => {})
    .then(() => {
      sendingNext = null
      return sendAllDue(letters)
    })
  return sendingNext
}

/** Waits for letters that other processes are sending, so that the demo's mailbox shows them. */
async function sendOnce(letters: readonly Letter[]): Promise<void> {
  for (const lane of mailLanes(letters))
    for (let sent = await runDue(lane); sent.length > 0; sent = await runDue(lane))
      if (sent.includes(false)) return
  for (let waited = 0; waited < PATIENCE_MS && (await hasAwaitedUnderWay(queueDb)); waited += 10)
    await Bun.sleep(10)
}
