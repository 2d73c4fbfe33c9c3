import { setTimeout as sleep } from 'node:timers/promises'
import { createCluster } from '@/db/embedded-postgres/cluster'
import { logPath } from '@/db/embedded-postgres/logfile'
import { launch, launchUntilReady, type Postmaster, terminate } from '@/db/embedded-postgres/postmaster'
import { chooseSite } from '@/db/embedded-postgres/site'
import { migrateDatabase } from '@/db/migrate/migrate'

export type TestPostgres = {
  url: string
  logFile: string
  pid(): number
  /** Ends it with that signal and starts it again at the same address. */
  restart(signal: 'SIGKILL' | 'SIGINT' | 'SIGQUIT'): Promise<void>
  /** Nobody is answered for so long, and nobody is told. */
  freeze(ms: number): Promise<void>
  stop(): Promise<void>
}

/** A migrated PostgreSQL that a test may treat badly. */
export async function startPostgres(dataDir: string): Promise<TestPostgres> {
  const context = { dataDir, settings: {}, log: () => {} }
  const site = await chooseSite(context)
  const password = await createCluster(site, context)
  let postmaster = await launchUntilReady(site, context)
  const { port } = postmaster
  const url = `postgres://folkmoot:${password}@127.0.0.1:${port}/folkmoot`
  await migrateDatabase(url)
  return {
    url,
    logFile: logPath(dataDir),
    pid: () => postmaster.pid,
    async restart(signal) {
      process.kill(postmaster.pid, signal)
      await postmaster.untilEnd()
      do postmaster = await launchAgain()
      while (!(await postmaster.becomesReady()))
    },
    async freeze(ms) {
      const pids = [postmaster.pid, ...childrenOf(postmaster.pid)]
      for (const pid of pids) signalTo(pid, 'SIGSTOP')
      try {
        await sleep(ms)
      } finally {
        for (const pid of pids.reverse()) signalTo(pid, 'SIGCONT')
      }
    },
    stop: () => terminate(postmaster),
  }

  /** Backends of a killed postmaster need a moment to notice. */
  async function launchAgain(): Promise<Postmaster> {
    await sleep(20)
    return launch(site, context, port)
  }
}

export const childrenOf = (pid: number) =>
  Bun.spawnSync(['pgrep', '-P', String(pid)])
    .stdout.toString()
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(Number)

function signalTo(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in this very moment.
  }
}
