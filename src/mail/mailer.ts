import { log, warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { isMailServerThere } from '@/outbound/mail/send'
import { subscribe } from '@/outbox/bus'
import type { Letter } from './letter'
import { hasAwaitedUnderWay } from './queries'
import { sendTaken, takeMails } from './send'

const LOOK_MS = 1000
/** A mail server may take longer to answer than a process may take to stop. */
const STOP_MS = 5000
/** More for what somebody waits for: some mailboxes are slow to reach, and whoever names them must not fill the lane. */
const AT_ONCE = { awaited: 8, other: 4 }
const KNOCK_MIN_MS = 1000
const KNOCK_MAX_MS = 30_000

/** Sends letters. Those that somebody waits for have a lane of their own, so that no number of others is in their way. */
export function startMailer(letters: readonly Letter[]): { stop(): Promise<void> } {
  const lanes = [lane(letters, true), lane(letters, false)]
  const unsubscribe = subscribe((messages) => {
    if (messages.some(({ type }) => type === 'mails.due')) for (const { wake } of lanes) wake()
  })
  return {
    async stop() {
      unsubscribe()
      await Promise.all(lanes.map(({ stop }) => stop()))
    },
  }
}

function lane(letters: readonly Letter[], isAwaited: boolean) {
  const byName = new Map(letters.map((letter) => [letter.name, letter]))
  const underWay = new Set<Promise<void>>()
  const atOnce = AT_ONCE[isAwaited ? 'awaited' : 'other']
  const stopping = Promise.withResolvers<void>()
  let stopped = false
  let isServerAway = false
  let wake = () => {}

  async function look(): Promise<boolean> {
    const taken = await takeMails(atOnce - underWay.size, isAwaited)
    for (const row of taken) {
      const sending = sendTaken(byName, row)
        .then((isThere) => {
          isServerAway ||= !isThere
        })
        .catch((error) => warnSparingly('mail: cannot write down what came of it', reasonOf(error)))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
    return taken.length > 0
  }

  /** While the mail server is away no letter is taken for it. */
  async function waitForServer() {
    log.warn('mail: the mail server is away, letters wait', { lane: isAwaited ? 'awaited' : 'other' })
    await Promise.all(underWay)
    let wait = KNOCK_MIN_MS
    do {
      await Promise.race([stopping.promise, Bun.sleep(wait)])
      wait = Math.min(wait * 2, KNOCK_MAX_MS)
    } while (!stopped && !(await isMailServerThere()))
    isServerAway = false
    if (!stopped) log.info('mail: the mail server is back', { lane: isAwaited ? 'awaited' : 'other' })
  }

  const run = async () => {
    while (!stopped) {
      if (isServerAway) await waitForServer()
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const found = await look().catch((error) => {
        warnSparingly('mail: cannot look for what is due', reasonOf(error))
        return false
      })
      if (underWay.size >= atOnce) await Promise.race(underWay)
      else if (!found) await Promise.race([woken, Bun.sleep(LOOK_MS)])
    }
    await Promise.all(underWay)
  }
  const running = run()

  return {
    wake: () => wake(),
    async stop() {
      stopped = true
      stopping.resolve()
      wake()
      await Promise.race([running, Bun.sleep(STOP_MS)])
    },
  }
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
  const byName = new Map(letters.map((letter) => [letter.name, letter]))
  for (const isAwaited of [true, false]) {
    const take = () => takeMails(AT_ONCE.awaited, isAwaited)
    for (let taken = await take(); taken.length > 0; taken = await take()) {
      const isThere = await Promise.all(taken.map((row) => sendTaken(byName, row)))
      if (isThere.includes(false)) return
    }
  }
  for (let waited = 0; waited < PATIENCE_MS && (await hasAwaitedUnderWay(queueDb)); waited += 10)
    await Bun.sleep(10)
}
