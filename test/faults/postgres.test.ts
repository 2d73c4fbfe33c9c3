import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { migrateDatabase } from '@/db/migrate/migrate'
import { freeze } from '../support/freeze'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedToken } from '../support/seed'

const own = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'folkmoot-postgres-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  await migrateDatabase(postgres.url)
  return { dataDir, postgres }
}

const create = (url: string, token: string) =>
  fetch(`${url}/v1/profile/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x', scopes: ['read:user'] }),
  })

describe('Postgres', () => {
  test('frozen: every request that needs it ends as 503 instead of hanging, and it heals by itself', async () => {
    const { postgres } = await own()
    const token = await seedToken(postgres.url)
    const server = await startServer({ DATABASE_URL: postgres.url, DATABASE_POOL: '4' })
    expect((await create(server.url, token)).status).toBe(201)
    const thaw = freeze(postgres.pid)
    const answers = await Promise.all(Array.from({ length: 300 }, () => create(server.url, token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(answers[0]?.headers.get('retry-after')).toBe('1')
    expect(await answers[0]?.json()).toMatchObject({ code: 'unavailable' })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    thaw()
    await until('writes work again', async () => (await create(server.url, token)).status === 201)
    await server.stop()
    await postgres.stop()
  })

  test('killed: 503 with Retry-After, what was acknowledged is there, and a new start is found', async () => {
    const { postgres } = await own()
    const token = await seedToken(postgres.url)
    const server = await startServer({ DATABASE_URL: postgres.url })
    const acknowledged: string[] = []
    for (let i = 0; i < 20; i += 1)
      acknowledged.push(
        ((await (await create(server.url, token)).json()) as { data: { id: string } }).data.id,
      )
    process.kill(postgres.pid, 'SIGKILL')
    await until('the outage shows', async () => (await create(server.url, token)).status === 503)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    // The operator reads why, once, and not for each of the requests.
    await until('it says why', () => server.output().includes('requests are refused for now'))
    const said = server.output().match(/.*requests are refused for now.*/g) ?? []
    expect(said[0]).toMatch(/"level":"warn".*"code":"\w+","reason":"(the database|the connection|nobody)/)
    expect(new Set(said).size).toBe(said.length)
    // The embedded server is started again by its keeper, on the same port.
    await until('writes work again', async () => (await create(server.url, token)).status === 201)
    const listed = (await (
      await fetch(`${server.url}/v1/profile/tokens?limit=100`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()) as { data: { id: string }[] }
    const ids = new Set(listed.data.map(({ id }) => id))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    await until('it is ready again', async () => (await fetch(`${server.url}/readyz`)).status === 200)
    await server.stop()
    await postgres.stop()
  })

  test('with the embedded database a killed server leaves nothing that a new start cannot take over', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'folkmoot-kill-'))
    const first = await startServer({ DATA_DIR: dataDir, WORKER: 'embedded' })
    await first.stop('SIGKILL')
    const second = await startServer({ DATA_DIR: dataDir, WORKER: 'embedded' })
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
    const third = startServer({ DATA_DIR: dataDir })
    await expect(third).rejects.toThrow('already runs on the data folder')
    const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(postmaster, 'SIGKILL')
    await until('it says so', () => second.output().includes('PostgreSQL ended unexpectedly'))
    expect(second.output()).toMatch(/"level":"error","message":"database: PostgreSQL ended unexpectedly/)
    await until('it is back', async () => (await fetch(`${second.url}/readyz`)).status === 200)
    expect(await second.stop('SIGTERM')).toBe(0)
    await until('PostgreSQL is gone', () => !isRunning(postmaster))
  })

  test('that comes up later is waited for; one that refuses the password is not', async () => {
    const behind = new URL(await ownDatabase())
    const port = await freePort()
    const ahead = new URL(behind)
    ahead.port = String(port)
    const worker = startWorker({ DATABASE_URL: ahead.href })
    await until('it waits', () => worker.output().includes('waiting for the database'))
    const door = createServer((socket) => {
      const inner = connect(Number(behind.port), behind.hostname)
      socket.pipe(inner).pipe(socket)
      for (const end of [socket, inner]) end.on('error', () => {})
    }).listen(port, '127.0.0.1')
    await until('it is ready', () => worker.output().includes('worker ready'))
    await worker.stop()
    door.close()
    behind.password = 'wrong'
    const refused = startWorker({ DATABASE_URL: behind.href })
    expect(await refused.exited).toBe(1)
    expect(refused.output()).toContain('The database of DATABASE_URL cannot be used (28P01)')
    expect(refused.output()).not.toContain('waiting')
  })
})

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    return false
  }
}
