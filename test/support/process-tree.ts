import { readdirSync, readFileSync } from 'node:fs'

export type Found = { pid: number; parent: number; command: string }

/** Every living process that names this text in its command line or in the environment that it began with. */
export const processesNaming = (text: string): Found[] =>
  everyone()
    .filter(({ command, environment }) => command.includes(text) || environment.includes(text))
    .map(({ pid, parent, command }) => ({ pid, parent, command: command.replaceAll('\0', ' ').trim() }))

/** Those and their children, which may have overwritten both, as PostgreSQL's do. */
export function familyNaming(text: string): Found[] {
  const named = new Set(processesNaming(text).map(({ pid }) => pid))
  return everyone().filter(({ pid, parent }) => named.has(pid) || named.has(parent))
}

/** The living processes that a process has started. */
export const childrenOf = (parent: number): Found[] => everyone().filter((found) => found.parent === parent)

const everyone = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const [state, parent] = read(name, 'stat').split(') ').at(-1)?.split(' ') ?? []
      if (!state || state === 'Z' || state === 'X') return []
      const [command, environment] = [read(name, 'cmdline'), read(name, 'environ')]
      return [{ pid: Number(name), parent: Number(parent), command, environment }]
    })

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
