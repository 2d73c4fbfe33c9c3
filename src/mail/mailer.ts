import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { subscribe } from '@/outbox/bus'
import type { Letter } from './letter'
import { hasAwaitedUnderWay } from './queries'
import { sendTaken, takeMails } from './send'

const LOOK_MS = 1000
/** A mail server may take longer to answer than a process may take to stop. */
const STOP_MS = 5000
const AT_ONCE = 4

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
  let stopped = false
  let wake = () => {}

  async function look(): Promise<boolean> {
    const taken = await takeMails(AT_ONCE - underWay.size, isAwaited)
    for (const row of taken) {
      const sending = sendTaken(byName, row)
        .catch((error) => warnSparingly('mail: cannot write down what came of it', reasonOf(error)))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
    return taken.length > 0
  }

  const run = async () => {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const found = await look().catch((error) => {
        warnSparingly('mail: cannot look for what is due', reasonOf(error))
        return false
      })
      if (underWay.size >= AT_ONCE) await Promise.race(underWay)
      else if (!found) await Promise.race([woken, Bun.sleep(LOOK_MS)])
    }
    await Promise.all(underWay)
  }
  const running = run()

  return {
    wake: () => wake(),
    async stop() {
      stopped = true
      wake()
      await Promise.race([running, Bun.sleep(STOP_MS)])
    },
  }
}

const PATIENCE_MS = 2000

/** Sends all that is due, and waits for what others have begun: whoever opens the demo's mailbox wants to see what was sent. */
export async function sendAllDue(letters: readonly Letter[]): Promise<void> {
  const byName = new Map(letters.map((letter) => [letter.name, letter]))
  for (const isAwaited of [true, false]) {
    const take = () => takeMails(AT_ONCE, isAwaited)
    for (let taken = await take(); taken.length > 0; taken = await take())
      await Promise.all(taken.map((row) => sendTaken(byName, row)))
  }
  for (let waited = 0; waited < PATIENCE_MS && (await hasAwaitedUnderWay(queueDb)); waited += 10)
    await Bun.sleep(10)
}
