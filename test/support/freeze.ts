/** Stops a PostgreSQL with all of its processes, as a machine does that has no time for it. Gives the way back. */
export function freeze(postmaster: number): () => void {
  const children = Bun.spawnSync(['pgrep', '-P', String(postmaster)])
    .stdout.toString()
    .trim()
    .split('\n')
  const all = [postmaster, ...children.map(Number)]
  for (const pid of all) send(pid, 'SIGSTOP')
  return () => {
    for (const pid of all.reverse()) send(pid, 'SIGCONT')
  }
}

/** Some of its processes come and go by themselves. */
function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
