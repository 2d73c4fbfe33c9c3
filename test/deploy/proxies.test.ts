import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { demandPackage, hasProgram } from '../support/packages'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedToken } from '../support/seed'

demandPackage('nginx-light', hasProgram('nginx'))
demandPackage('haproxy', hasProgram('haproxy'))
demandPackage('curl', hasProgram('curl'))

const root = join(import.meta.dir, '../..')
const tls = join(root, 'test/support/tls')
const HOST = 'folkmoot.example'

type Ports = { plain: number; secure: number; servers: [number, number] }
type Proxy = { command: string[]; check: string[] }

/** The files as they are shipped, with ports, certificate and folders of this test in the place of the machine's. */
const proxies: Record<'nginx' | 'haproxy', (folder: string, ports: Ports) => Proxy> = {
  nginx(folder, { plain, secure, servers }) {
    const site = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
      .replace('server 127.0.0.1:3000', `server 127.0.0.1:${servers[0]}`)
      .replace('# server 127.0.0.1:3001', `server 127.0.0.1:${servers[1]}`)
      // Everybody here has one address: in turns, so that both servers are asked.
      .replace('    ip_hash;\n', '')
      .replace(/listen 80;/, `listen 127.0.0.1:${plain};`)
      .replace(/listen 443 /, `listen 127.0.0.1:${secure} `)
      .replace(/^ *listen \[::\].*\n/gm, '')
      .replace(/\/etc\/letsencrypt\S+fullchain.pem/, join(tls, 'server.pem'))
      .replace(/\/etc\/letsencrypt\S+privkey.pem/, join(tls, 'server.key'))
      .replaceAll('/var/log/nginx', folder)
    writeFileSync(join(folder, 'site.conf'), site)
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n')
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;\n` +
        `events {}\nhttp {\n${places}\naccess_log off;\ninclude ${folder}/site.conf;\n}\n`,
    )
    const words = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
    return { command: words, check: [...words, '-t'] }
  },
  haproxy(folder, { plain, secure, servers }) {
    const pem = join(folder, 'both.pem')
    writeFileSync(
      pem,
      ['server.pem', 'server.key'].map((name) => readFileSync(join(tls, name), 'utf8')).join(''),
    )
    const config = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${servers[0]}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${servers[1]}`)
      .replaceAll('balance source\n    hash-type consistent', 'balance roundrobin')
      .replace('bind :80', `bind 127.0.0.1:${plain}`)
      .replace('bind :443', `bind 127.0.0.1:${secure}`)
      .replaceAll('/etc/haproxy/folkmoot.example.pem', pem)
      .replace(/^ +(log|user|group) (?!global|-).*\n/gm, '')
      .replace(/^ +log global\n/gm, '')
    writeFileSync(join(folder, 'haproxy.cfg'), config)
    const words = ['haproxy', '-f', join(folder, 'haproxy.cfg')]
    return { command: [...words, '-db'], check: [...words, '-c'] }
  },
}

for (const name of ['nginx', 'haproxy'] as const)
  describe(`${name} as it is shipped, before two servers`, () => {
    let ports: Ports
    let servers: ServerProcess[]
    let proxy: ReturnType<typeof Bun.spawn>
    let databaseUrl: string
    let token: string
    let folder: string
    beforeAll(async () => {
      databaseUrl = await ownDatabase()
      token = await seedToken(databaseUrl)
      ports = {
        plain: await freePort(),
        secure: await freePort(),
        servers: [await freePort(), await freePort()],
      }
      servers = await Promise.all(ports.servers.map(serve))
      folder = mkdtempSync(join(tmpdir(), `${name}-`))
      proxy = Bun.spawn(proxies[name](folder, ports).command, { stdout: 'ignore', stderr: 'ignore' })
      await until(
        'the proxy answers',
        async () => (await ask('/readyz').catch(() => undefined))?.status === 200,
      )
    })
    afterAll(async () => {
      proxy?.kill()
      await proxy?.exited
      await Promise.all((servers ?? []).map((server) => server.stop('SIGKILL')))
    })

    const serve = (port: number) =>
      startServer({
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        BASE_URL: `https://${HOST}`,
        TRUSTED_PROXIES: '127.0.0.1',
        RATE_LIMIT_USER_PER_HOUR: '1000000',
        LOG_LEVEL: 'info',
      })

    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`https://127.0.0.1:${ports.secure}${path}`, {
        ...init,
        headers: { host: HOST, ...init.headers },
        tls: { rejectUnauthorized: false, serverName: HOST },
        signal: AbortSignal.timeout(10_000),
      } as RequestInit)

    const write = (i: number) =>
      ask('/v1/profile/tokens', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `written-${i}`, scopes: ['read:user'] }),
      })

    test('is accepted by its own check', () => {
      const { check } = proxies[name](mkdtempSync(join(tmpdir(), `${name}-check-`)), ports)
      const [program = '', ...words] = check
      const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
      expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
    })

    /** What an anonymous budget has left, asked from one address of this machine by somebody who claims to be another. */
    const remaining = (from: string, claimed: string) => {
      const { stdout } = spawnSync(
        'curl',
        [
          ...['--silent', '--insecure', '--interface', from, '--dump-header', '-', '--output', '/dev/null'],
          ...['--header', `Host: ${HOST}`, '--header', `X-Forwarded-For: ${claimed}`],
          `https://127.0.0.1:${ports.secure}/v1/scopes`,
        ],
        { encoding: 'utf8' },
      )
      return Number(/x-ratelimit-remaining: (\d+)/i.exec(stdout)?.[1])
    }

    test("forwards the client's address and ignores the client's own headers", () => {
      // Each of the two servers counts for itself: of four requests from one address, one of them has had two.
      const left = [1, 2, 3, 4].map((i) => remaining('127.0.0.2', `203.0.113.${i}`))
      expect(Math.min(...left)).toBeLessThanOrEqual(58)
      expect(Math.max(...left)).toBe(59)
      expect(remaining('127.0.0.3', '203.0.113.1')).toBe(59)
    })

    test('passes the host on: the server refuses one that it does not know', async () => {
      const other = await ask('/v1/scopes', { headers: { host: 'evil.example' } })
      expect(other.status).toBe(400)
    })

    test('sends people from http to https, path and query included', async () => {
      const answer = await fetch(`http://127.0.0.1:${ports.plain}/events?page=2`, {
        headers: { host: HOST },
        redirect: 'manual',
      })
      expect([answer.status, answer.headers.get('location')]).toEqual([308, `https://${HOST}/events?page=2`])
    })

    test('takes a file of ten megabytes in, and no more than twelve', async () => {
      const send = async (bytes: number) => {
        const answer = await ask('/v1/uploads/nobody', {
          method: 'PUT',
          body: new Uint8Array(bytes),
          headers: { 'content-type': 'image/png' },
        }).catch((error: Error) => error)
        return answer instanceof Error ? answer.name : answer.status
      }
      // The server's own answer: there is no such upload.
      expect(await send(10 * 1024 * 1024)).toBe(404)
      expect(await send(13 * 1024 * 1024)).toBe(413)
    })

    test('loses no request, read or written, while one server after the other is restarted', async () => {
      const ended = Promise.withResolvers<void>()
      let isOver = false
      void ended.promise.then(() => {
        isOver = true
      })
      const statuses: Record<string, number> = {}
      let [total, written] = [0, 0]
      const count = async (answer: Promise<Response>) => {
        const status = await answer.then(
          async (response) => {
            await response.arrayBuffer()
            return String(response.status)
          },
          (error) => `failed: ${error}`,
        )
        statuses[status] = (statuses[status] ?? 0) + 1
        total += 1
        return status
      }
      const reader = async () => {
        while (!isOver) await count(ask('/v1/me', { headers: { authorization: `Bearer ${token}` } }))
      }
      const writer = async () => {
        // A token more each time; within the quota of a hundred.
        for (let i = 0; i < 80 && !isOver; i += 1) {
          if ((await count(write(i))) === '201') written += 1
          await Bun.sleep(50)
        }
      }
      const clients = [...Array.from({ length: 6 }, reader), writer()]
      const answers = async (more: number) => {
        const goal = total + more
        await until('requests go on', () => total >= goal, 30_000)
      }
      await answers(100)
      for (const at of [0, 1]) {
        expect(await (servers[at] as ServerProcess).stop('SIGTERM')).toBe(0)
        await answers(100)
        servers[at] = await serve(ports.servers[at] as number)
        await answers(100)
      }
      ended.resolve()
      await Promise.all(clients)
      expect(statuses).toEqual({ '200': expect.any(Number), '201': written })
      expect(written).toBeGreaterThan(0)
    })

    test('answers all that begins after one server was killed', async () => {
      await (servers[0] as ServerProcess).stop('SIGKILL')
      const statuses: number[] = []
      for (let i = 0; i < 40; i += 1)
        statuses.push((await ask('/v1/me', { headers: { authorization: `Bearer ${token}` } })).status)
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      servers[0] = await serve(ports.servers[0])
      await until('it is asked again', async () => {
        await ask('/v1/me', { headers: { authorization: `Bearer ${token}` } })
        return (servers[0] as ServerProcess).output().includes('"route":"/v1/me"')
      })
    })

    if (name === 'haproxy')
      test('lets the servers speak for themselves while their database is away', async () => {
        const admin = postgres(process.env.TEST_DATABASE_URL as string, { max: 1, onnotice: () => {} })
        const database = new URL(databaseUrl).pathname.slice(1)
        try {
          await admin.unsafe(`alter database "${database}" with allow_connections false`)
          await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`
          await until('no server is ready', async () => (await ask('/readyz')).status === 503)
          // For longer than the proxy takes to see that none is ready: each of these answers is a server's.
          for (let again = 0; again < 30; again += 1) {
            const answer = await ask('/v1/profile/tokens', { headers: { authorization: `Bearer ${token}` } })
            expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'unavailable' }])
            await Bun.sleep(50)
          }
          expect((await ask('/robots.txt')).status).toBe(200)
        } finally {
          await admin.unsafe(`alter database "${database}" with allow_connections true`)
          await admin.end()
        }
        await until('they are ready', async () => (await ask('/readyz')).status === 200)
        expect((servers[0] as ServerProcess).output()).not.toContain('"route":"/readyz"')
      })

    if (name === 'nginx')
      test('keeps queries and secret addresses out of its log', async () => {
        await ask('/feeds/me/a-secret.ics')
        await ask('/events?search=a-secret')
        await until('both are logged', () => {
          const log = readFileSync(join(folder, 'folkmoot.log'), 'utf8')
          return log.includes('"GET /feeds/me/-"') && log.includes('"GET /events"')
        })
        expect(readFileSync(join(folder, 'folkmoot.log'), 'utf8')).not.toContain('a-secret')
      })
  })
