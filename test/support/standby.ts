import { appendFileSync, cpSync, lchownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { program } from '@/db/embedded-postgres/binaries'
import { createCluster } from '@/db/embedded-postgres/cluster'
import { run } from '@/db/embedded-postgres/command'
import { launch, launchUntilReady, type Postmaster, terminate } from '@/db/embedded-postgres/postmaster'
import { chooseSite, type Site } from '@/db/embedded-postgres/site'
import { migrateDatabase } from '@/db/migrate/migrate'
import { childrenOf } from './postgres'
import { until } from './processes'
import { freePort } from './redis'

/** One of two servers of the same data. */
export type TestCluster = {
  url: string
  /** `127.0.0.1:port`, as it stands among the hosts of an address. */
  host: string
  sql: postgres.Sql
  start(): Promise<void>
  /** With all its processes, as a machine that loses its power. */
  kill(): Promise<void>
  promote(): Promise<void>
  /** Makes what is stopped a standby of another, for its next start. */
  follow(other: TestCluster): void
  stop(): Promise<void>
}

const WITHOUT_WAIT = { fsync: 'off', full_page_writes: 'off', max_connections: '100' }

/** A migrated primary and a standby that has all that was acknowledged; the two are one another's copy, by the way. */
export async function startPair({ isSynchronous = true } = {}): Promise<[TestCluster, TestCluster]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'folkmoot-primary-'))
  const context = { dataDir, settings: WITHOUT_WAIT, log: () => {} }
  const site = await chooseSite(context)
  const password = await createCluster(site, context)
  const first = await launchUntilReady(site, context)
  await migrateDatabase(urlOf(password, first.port))
  await terminate(first)
  const copied = { ...site, cluster: `${site.cluster}-standby` }
  copyWithOwners(site.cluster, copied.cluster)
  const settings: Record<string, string> = isSynchronous ? { synchronous_standby_names: '*' } : {}
  const primary = await cluster(site, password, { ...WITHOUT_WAIT, ...settings })
  const standby = await cluster(copied, password, WITHOUT_WAIT)
  standby.follow(primary)
  await primary.start()
  await standby.start()
  await until('the standby follows', async () => {
    const [row] = await primary.sql`select count(*)::int as count from pg_stat_replication
      where state = 'streaming' and sync_state = ${isSynchronous ? 'sync' : 'async'}`
    return row?.count === 1
  })
  return [primary, standby]
}

async function cluster(site: Site, password: string, settings: Record<string, string>): Promise<TestCluster> {
  const port = await freePort()
  const context = { dataDir: mkdtempSync(join(tmpdir(), 'folkmoot-log-')), settings, log: () => {} }
  const url = urlOf(password, port)
  const sql = postgres(url, { max: 2, onnotice: () => {}, backoff: () => 0.05 } as never)
  let postmaster: Postmaster | undefined
  return {
    url,
    host: `127.0.0.1:${port}`,
    sql,
    async start() {
      postmaster = launch(site, context, port)
      await until('PostgreSQL answers', () =>
        sql`select 1`.then(
          () => true,
          () => false,
        ),
      )
    },
    async kill() {
      const { pid } = postmaster as Postmaster
      for (const each of [pid, ...childrenOf(pid)])
        try {
          process.kill(each, 'SIGKILL')
        } catch {
          // It ended with its parent.
        }
      await postmaster?.untilEnd()
    },
    async promote() {
      const { code, output } = await run(site.runner, program(site.binaries, 'pg_ctl'), [
        'promote',
        '-D',
        site.cluster,
      ])
      if (code !== 0) throw new Error(`pg_ctl promote: ${output}`)
    },
    follow(other) {
      const { hostname, port: at } = new URL(other.url)
      writeFileSync(join(site.cluster, 'standby.signal'), '')
      const way = `host=${hostname} port=${at} user=folkmoot password=${password} application_name=standby`
      appendFileSync(join(site.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`)
      const { uid, gid } = statSync(site.cluster)
      lchownSync(join(site.cluster, 'standby.signal'), uid, gid)
    },
    async stop() {
      await sql.end({ timeout: 0 })
      if (postmaster) await terminate(postmaster)
      rmSync(site.cluster, { recursive: true, force: true })
    },
  }
}

const urlOf = (password: string, port: number) => `postgres://folkmoot:${password}@127.0.0.1:${port}/folkmoot`

function copyWithOwners(from: string, to: string) {
  const { uid, gid } = statSync(from)
  cpSync(from, to, { recursive: true })
  Bun.spawnSync(['chown', '-R', `${uid}:${gid}`, to])
  Bun.spawnSync(['chmod', '-R', 'go=', to])
}
