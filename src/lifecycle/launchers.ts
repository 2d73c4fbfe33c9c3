import { basename } from 'node:path'
import { environmentOf, look, type Seen } from './process-table'

/**
 * The processes between the person or program that wanted a server and this one: `npx`, its shell, `bun run`,
 * `timeout`. None of them passes on every signal, and some pass on none, so the end of one of them counts as an order
 * to stop. A shell at a terminal, a service manager or another session is none of them: there a server is meant to
 * stay.
 */
export function findLaunchers(): { launchers: Seen[]; isOneGone: boolean } {
  const self = look(process.pid)
  const launchers: Seen[] = []
  let above = parentOf(self)
  for (; above && isLauncher(above) && above.session === self?.session; above = parentOf(above))
    launchers.push(above)
  const first = launchers.at(-1) ?? self
  // One that ended while we looked for it is not there at all; at the top of a container there never was one.
  return { launchers, isOneGone: first !== undefined && first.parent >= 1 && wasLaunched(first) }
}

const parentOf = (seen: Seen | undefined) => (seen && seen.parent >= 1 ? look(seen.parent) : undefined)

/** Its environment still tells that npm or `bun run` made it, when they are no longer above it. */
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

/** `sh -c 'npx bun run up'` waits for us; `sh -c 'npx bun run up &'` has let us go, and may end before us. */
const runsInForeground = ([option, script]: string[]) =>
  option === '-c' && script !== undefined && !/(^|[^&>])&($|[^&>])/.test(script)
