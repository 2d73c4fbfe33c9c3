import { queueDb } from '@/db/client'
import { type Lane, runDue } from '@/delivery/engine'
import { isMailServerThere } from '@/outbound/mail/send'
import type { Letter } from './letter'
import { hasAwaitedUnderWay, type MailRow } from './queries'
import { sendTaken, takeMails } from './send'

/** More for what somebody waits for: some mailboxes are slow to reach, and one person's must not fill the lane. */
const AT_ONCE = { awaited: 8, other: 4 }

/** Letters that somebody waits for have a lane of their own, so that no number of others is in their way. */
export function mailLanes(letters: readonly Letter[]): Lane<MailRow>[] {
  const byName = new Map(letters.map((letter) => [letter.name, letter]))
  return (['awaited', 'other'] as const).map((lane) => ({
    name: 'mail',
    wakesOn: ({ type }) => type === 'mails.due',
    atOnce: AT_ONCE[lane],
    claim: ({ limit }) => takeMails(limit, lane === 'awaited'),
    run: (row) => sendTaken(byName, row),
    otherSide: { name: 'the mail server', isThere: isMailServerThere },
  }))
}

const PATIENCE_MS = 2000
let sendingAll: Promise<void> | null = null
let sendingNext: Promise<void> | null = null

/** Sends all that is due. Who asks meanwhile shares the run that begins after this one: it sees what they have written. */
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

/** What others have begun is waited for: whoever opens the demo's mailbox wants to see what was sent. */
async function sendOnce(letters: readonly Letter[]): Promise<void> {
  for (const lane of mailLanes(letters))
    for (let sent = await runDue(lane); sent.length > 0; sent = await runDue(lane))
      if (sent.includes(false)) return
  for (let waited = 0; waited < PATIENCE_MS && (await hasAwaitedUnderWay(queueDb)); waited += 10)
    await Bun.sleep(10)
}
