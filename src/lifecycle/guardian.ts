import { spawn } from 'node:child_process'

/** Commands that end a child of ours when we can no longer do it. `$1` is its process id. */
const LAST = {
  // SIGCONT comes along, in case somebody has stopped it; a fast shutdown that does not come to an end becomes a crash.
  postmaster: `kill -INT "$1"; kill -CONT "$1"
    n=0; while [ $n -lt 50 ] && kill -0 "$1"; do sleep 0.1; n=$((n + 1)); done
    kill -QUIT "$1"`,
  group: 'kill -KILL -- "-$1"',
  process: 'kill -KILL "$1"',
}

/**
 * Ends a child of ours when we end without having done so ourselves, SIGKILL included. Gives the way to let the guardian
 * go, once the child has ended.
 */
export const guard = (pid: number, last: keyof typeof LAST) => leaveBehind(LAST[last], String(pid))

/** Removes a folder after us. Programs that run in it may need a while to end, and would write into it meanwhile. */
export const guardFolder = (folder: string) =>
  leaveBehind('n=0; while [ $n -lt 10 ]; do sleep 1; rm -rf "$1" && sleep 1; n=$((n + 1)); done', folder)

/** A small process waits on a pipe that the kernel closes with us, and then does the last thing. */
function leaveBehind(lastThing: string, argument: string): () => void {
  const script = `trap '' HUP INT TERM; read -r done && exit; { ${lastThing}; } 2>/dev/null`
  const guardian = spawn('/bin/sh', ['-c', script, 'folkmoot-guardian', argument], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // It needs nothing but sleep and rm; our own environment holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  guardian.on('error', () => {})
  guardian.stdin.on('error', () => {})
  guardian.unref()
  return () => guardian.stdin.end('done\n')
}
