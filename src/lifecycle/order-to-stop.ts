import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { environmentOf, isStill, look, type Seen } from './process-table'

/**
 * The processes between the launching person or program and this one: `npx`, its shell, `bun run`, `timeout`. Not all of them
 * forward signals, so the end of one counts as an order to stop. A shell at a terminal, a service manager or another session does
 * not: there a server is meant to stay.
 */
function findLaunchers(): { launchers: Seen[]; isOneGone: boolean } {
  const self = look(process.pid)
  const launchers: Seen[] = []
  let above = parentOf(self)
  for (; above && isLauncher(above) && above.session === self?.session; above = parentOf(above))
    launchers.push(above)
  const first = launchers.at(-1) ?? self
  // A launcher that ended during the search is missing; at the top of a container none exists.
  return { launchers, isOneGone: first !== undefined && first.parent >= 1 && wasLaunched(first) }
}

const parentOf = (seen: Seen | undefined) => (seen && seen.parent >= 1 ? look(seen.parent) : undefined)

/** Its environment still shows that npm or `bun run` started it, after they have ended. */
function wasLaunched({ pid, command }: Seen): boolean {
  const script = environmentOf(pid).get('npm_lifecycle_script')?.replaceAll("'", '')
  const [program = '', ...args] = command
  const text = (args[0] === '-c' ? args.slice(1) : [basename(program), ...args]).join(' ').replaceAll("'", '')
  return script !== undefined && `${text} `.startsWith(`${script} `)
}

function isLauncher({ command }: Seen): boolean {
  // Programs that rename themselves have one long word.
  const [program = '', ...args] = command.flatMap((word, index) => (index === 0 ? word.split(' ') : [word]))
  const name = basename(program)
  if (/^(bun|bunx|npm|npx|timeout)(\.exe)?$/.test(name)) return true
  if (name === 'node') return /\b(npm|npx|pnpm|yarn)\b/.test(args[0] ?? '')
  return /^(sh|dash|bash|zsh|ash)$/.test(name) && runsInForeground(args)
}

/** `sh -c 'npx bun run up'` waits for us; `sh -c 'npx bun run up &'` does not, and may end before us. */
const runsInForeground = ([option, script]: string[]) =>
  option === '-c' && script !== undefined && !/(^|[^&>])&($|[^&>])/.test(script)

/** Reads a few small files, or runs a program without /proc. */
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

/** Searched at once: a launcher that ends before would not be missed. */
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

/** `nohup` ignores the signal before we start, to outlive the terminal. */
function isIgnored(signal: bigint): boolean {
  try {
    const mask = /SigIgn:\s*([0-9a-f]+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
    return ((BigInt(`0x${mask}`) >> (signal - 1n)) & 1n) === 1n
  } catch {
    return false
  }
}
