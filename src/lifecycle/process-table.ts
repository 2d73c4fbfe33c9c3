import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export type Seen = { pid: number; parent: number; session: string; birth: string; command: string[] }

/** A process of the system; undefined if it ended or is a zombie. */
export const look = (pid: number): Seen | undefined =>
  process.platform === 'linux' ? lookInProc(pid) : lookWithPs(pid)

/** Whether the same process still runs: its id may be reused. */
export const isStill = ({ pid, birth }: Pick<Seen, 'pid' | 'birth'>) => look(pid)?.birth === birth

/** Its initial environment, as far as readable. */
export const environmentOf = (pid: number): Map<string, string> =>
  new Map(
    (textOf(`/proc/${pid}/environ`) ?? '').split('\0').map((entry) => {
      const at = entry.indexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1)]
    }),
  )

function lookInProc(pid: number): Seen | undefined {
  const stat = statOf(pid)
  const command = textOf(`/proc/${pid}/cmdline`)?.split('\0').filter(Boolean)
  return stat && command && { pid, ...stat, command }
}

function statOf(pid: number) {
  // The program's name before it may hold anything, including brackets and spaces.
  const cells = textOf(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  if (!cells || cells[0] === 'Z' || cells[0] === 'X') return
  return { parent: Number(cells[1]), session: cells[3] ?? '', birth: cells[19] ?? '' }
}

function lookWithPs(pid: number): Seen | undefined {
  const columns = ['-o', 'ppid=', '-o', 'sess=', '-o', 'lstart=', '-o', 'command=']
  const { stdout } = spawnSync('ps', ['-ww', ...columns, '-p', String(pid)], { encoding: 'utf8' })
  const [parent, session, ...rest] = (stdout ?? '').trim().split(/\s+/)
  if (!parent || !session) return
  return { pid, parent: Number(parent), session, birth: rest.slice(0, 5).join(' '), command: rest.slice(5) }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
