import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { guard } from '@/lifecycle/guardian'

/** How to run a PostgreSQL program: as ourselves, as another user, or behind a command such as unshare. */
export type Runner = { prefix: string[]; uid?: number; gid?: number }

export type Outcome = { code: number | null; output: string; error?: NodeJS.ErrnoException }

export type RunOptions = { input?: string; signal?: AbortSignal }

/** Runs a program until it ends or is aborted; never rejects. */
export function run(
  runner: Runner,
  program: string,
  args: string[],
  { input = '', signal }: RunOptions = {},
): Promise<Outcome> {
  return new Promise((done) => {
    const child = spawnAs(runner, program, args, ['pipe', 'pipe', 'pipe'])
    const release = child.pid ? guard(child.pid, 'group') : () => {}
    const cut = () => killGroup(child)
    if (signal?.aborted) cut()
    signal?.addEventListener('abort', cut)
    child.on('close', () => {
      release()
      signal?.removeEventListener('abort', cut)
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (error) => done({ code: null, output, error }))
    child.on('close', (code) => done({ code, output }))
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Each program leads its own process group, with its children. */
function killGroup(child: ChildProcess) {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Already ended.
  }
}

export function spawnAs(runner: Runner, program: string, args: string[], stdio: StdioOptions): ChildProcess {
  const [command = program, ...rest] = [...runner.prefix, program, ...args]
  const { uid, gid } = runner
  return spawn(command, rest, { cwd: '/', env: environment(), detached: true, stdio, uid, gid })
}

// Our environment holds secrets and maybe PG* variables: neither belongs in PostgreSQL.
function environment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LD_LIBRARY_PATH } = process.env
  return { PATH, LC_ALL: 'C', TZ: 'UTC', ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) }
}
