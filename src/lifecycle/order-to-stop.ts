import { readFileSync } from 'node:fs'
import { findLaunchers } from './launchers'
import { isStill } from './process-table'

/** Looking is reading a few small files, or running a program where there are none. */
const LOOK_MS = process.platform === 'linux' ? 500 : 2000
const SIGHUP = 1n

export type Order = 'SIGINT' | 'SIGHUP' | 'SIGTERM' | 'launcher gone'

export type OrderToStop = { given: Promise<Order>; signal: AbortSignal }

/** Listens for orders to stop. The first one counts. */
export function listenForOrder(): OrderToStop {
  const controller = new AbortController()
  const given = new Promise<Order>((resolve) => {
    const obey = (order: Order) => {
      resolve(order)
      controller.abort()
    }
    process.on('SIGINT', () => obey('SIGINT'))
    process.on('SIGTERM', () => obey('SIGTERM'))
    if (!isIgnored(SIGHUP)) process.on('SIGHUP', () => obey('SIGHUP'))
    watchLaunchers(() => obey('launcher gone'))
  })
  return { given, signal: controller.signal }
}

/** Found at once: a launcher that ends before we have looked would not be missed. */
const { launchers, isOneGone } = findLaunchers()

function watchLaunchers(leave: () => void) {
  if (isOneGone) return leave()
  if (launchers.length === 0) return
  const timer = setInterval(() => {
    if (launchers.every(isStill)) return
    clearInterval(timer)
    leave()
  }, LOOK_MS)
  timer.unref()
}

/** `nohup` asks us to outlive the terminal by ignoring its signal before we begin. */
function isIgnored(signal: bigint): boolean {
  try {
    const mask = /SigIgn:\s*([0-9a-f]+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
    return ((BigInt(`0x${mask}`) >> (signal - 1n)) & 1n) === 1n
  } catch {
    return false
  }
}
