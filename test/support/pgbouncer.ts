import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guard } from '@/lifecycle/guardian'
import { demandPackage } from './packages'
import { until } from './processes'
import { freePort } from './redis'

export type PoolMode = 'session' | 'transaction' | 'statement'

// Debian puts it where only administrators look.
const program = () => Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` })

/** Debian's PgBouncer before the server of an address; further lines of its configuration may be given. */
export async function startPgbouncer(url: string, mode: PoolMode, lines: string[] = []) {
  demandPackage('pgbouncer', () => program() !== null)
  const { hostname, port: behind, username, password, pathname } = new URL(url)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const configuration = [
    '[databases]',
    `* = host=${hostname} port=${behind} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'max_client_conn = 200',
    // It refuses to be root.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ...lines,
  ]
  writeFileSync(file, `${configuration.join('\n')}\n`)
  chmodSync(folder, 0o755)
  const child = Bun.spawn([program() as string, file], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const letGo = guard(child.pid, 'process')
  void child.exited.then(letGo)
  const ignored = { data() {}, open() {}, close() {}, error() {} }
  const isOpen = () =>
    Bun.connect({ hostname: '127.0.0.1', port, socket: ignored }).then(
      (socket) => socket.end() !== null,
      () => false,
    )
  await until('PgBouncer listens', isOpen)
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
