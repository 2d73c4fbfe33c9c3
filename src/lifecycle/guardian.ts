import { spawn } from 'node:child_process'

/** Commands that end a child after our death. `$1` is its process id. */
const LAST = {
  // SIGCONT in case it was stopped; a fast shutdown that hangs becomes a crash.
  postmaster: `kill -INT "$1"; kill -CONT "$1"
    n=0; while [ $n -lt 50 ] && kill -0 "$1"; do sleep 0.1; n=$((n + 1)); done
    kill -QUIT "$1"`,
  group: 'kill -KILL -- "-$1"',
  process: 'kill -KILL "$1"',
}

/** Ends a child if we die first, even by SIGKILL. Returns the function that dismisses the guardian. */
export const guard = (pid: number, last: keyof typeof LAST) => leaveBehind(LAST[last], String(pid))

/** Deletes a folder after our end. Programs in it may take a while to end, and still write. */
export const guardFolder = (folder: string) =>
  leaveBehind('n=0; while [ $n -lt 10 ]; do sleep 1; rm -rf "$1" && sleep 1; n=$((n + 1)); done', folder)

/** A small process waits on a pipe that the kernel closes with us, and then runs the command. */
function leaveBehind(lastThing: string, argument: string): () => void {
  const script = `trap '' HUP INT TERM; read -r done && exit; { ${lastThing}; } 2>/dev/null`
  const guardian = spawn('/bin/sh', ['-c', script, 'folkmoot-guardian', argument], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // It needs only sleep and rm; our environment holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  guardian.on('error', () => {})
  guardian.stdin.on('error', () => {})
  guardian.unref()
  return () => guardian.stdin.end('done\n')
}
