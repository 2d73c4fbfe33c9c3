import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { get, post } from '../support/api'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'

const root = join(import.meta.dir, '../..')
const PRINTED = 'http://127.0.0.1:3000'
const isPossible = Bun.which('curl') !== null && Bun.which('openssl') !== null && Bun.which('bash') !== null
if (!isPossible) console.log('!! no curl, openssl or bash: the examples of the documentation are NOT tested')

/** Blocks of a page that a reader types into one shell; how to run or host the server is tried elsewhere. */
const examplesIn = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)]
    .map((match) => match[1] as string)
    .filter((block) => !/^(\S+=\S+ )*(npx --yes )?bun(@\S+)? run|docker|systemctl/m.test(block))

describe.if(isPossible)('what the documentation prints works as printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-examples-'))
  let databaseUrl = ''
  let server: ServerProcess

  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    server = await startServer({ FOLKMOOT_MODE: 'demo', DATABASE_URL: databaseUrl, DATA_DIR: data })
    await until(
      'it says hello',
      () => existsSync(join(data, 'demo.json')) && server.output().includes('Try it:'),
    )
    // A refusal ends the script.
    writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec ${Bun.which('curl')} --fail-with-body -sS "$@"\n`)
    chmodSync(join(folder, 'curl'), 0o755)
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  function run(script: string) {
    const child = Bun.spawn(
      ['bash', '--norc', '-euo', 'pipefail', '-c', script.replaceAll(PRINTED, server.url)],
      {
        cwd: folder,
        env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    let text = ''
    const collect = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream) text += new TextDecoder().decode(chunk)
    }
    const ended = Promise.all([child.exited, collect(child.stdout), collect(child.stderr)])
    return { said: () => text, type: (line: string) => child.stdin.write(`${line}\n`), ended }
  }

  for (const page of ['README.md', 'docs/webhooks.md', 'docs/recognition.md', 'docs/meetpass.md'])
    test(page, async () => {
      const script = examplesIn(page).join('\n')
      expect(script).toContain('curl')
      const { said, ended } = run(script)
      const [code] = await ended
      expect({ code, said: said() }).toMatchObject({ code: 0, said: expect.stringContaining('{"data":') })
    })

  test('docs/schemas.md', async () => {
    const { said, ended } = run(examplesIn('docs/schemas.md').join('\n'))
    const [code] = await ended
    expect({ code, said: said() }).toMatchObject({
      code: 0,
      said: expect.stringMatching(/{"schemas":.*\/schemas\/event".*\/schemas\/rsvp\.confirmed"/s),
    })
  })

  test('docs/feeds.md', async () => {
    const { said, ended } = run(examplesIn('docs/feeds.md').join('\n'))
    const [code] = await ended
    expect({ code, said: said() }).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        /BEGIN:VCALENDAR.*<feed.*<rss.*<rss.*jsonfeed.*VCALENDAR.*VCALENDAR.*"feedToken".*is gone.* 304 /s,
      ),
    })
    expect(readFileSync(join(folder, 'events.atom'), 'utf8')).toContain('</feed>')
  })

  test('docs/uploads.md, with a worker that checks the files', async () => {
    const worker = startWorker({
      FOLKMOOT_MODE: 'demo',
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
    })
    // The pictures of the demo come first: a reader has had it running for a while.
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await until(
      'the worker has time',
      async () => (await sql`select from uploads where state = 'received'`).length === 0,
      60_000,
    )
    await sql.end()
    const { said, ended } = run(examplesIn('docs/uploads.md').join('\n'))
    const [code] = await ended
    await worker.stop('SIGKILL')
    expect({ code, said: said() }).toMatchObject({
      code: 0,
      said: expect.stringMatching(/"category":"avatar".*"avatarUrl":"http:.*"fileCount":\d.*"success":true/s),
    })
    const [sent, seen] = ['me.png', 'seen.png'].map((name) =>
      readFileSync(join(folder, name)).toString('latin1', 0, 8),
    )
    expect(seen).toBe(sent as string)
  })

  test('docs/oauth.md, with a person who agrees in the browser', async () => {
    const { said, type, ended } = run(examplesIn('docs/oauth.md').join('\n'))
    await until('the link is there', () => /\/oauth\/authorize\?\S+\n/.test(said()))
    type(await agreeTo(/\/oauth\/authorize\?\S+/.exec(said())?.[0] as string))
    const [code] = await ended
    expect({ code, said: said() }).toMatchObject({
      code: 0,
      said: expect.stringContaining('{"active":false}'),
    })
  })

  test('the greeting of `bun run up`', async () => {
    const printed = /Try it:\n(.*)Ctrl-C stops/s.exec(server.output())?.[1] as string
    expect(printed.match(/curl/g)?.length).toBe(3)
    const { said, ended } = run(printed)
    const [code] = await ended
    expect({ code, said: said() }).toMatchObject({
      code: 0,
      said: expect.stringContaining('Hello from my terminal'),
    })
  })

  /** What a person does who is signed in; gives the code that their browser shows. */
  async function agreeTo(path: string): Promise<string> {
    const session = randomHex(32)
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await sql`insert into sessions (id, user_id, hash, expires_at)
      select ${Bun.randomUUIDv7()}, id, ${Buffer.from(hashSecret(session))}, now() + interval '1 hour' from users
      where username = 'ada-okafor'`
    await sql.end()
    const page = await get(path, { base: server.url, session })
    const request = /name="request" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const boxes = [...page.text.matchAll(/name="(scope\.[^"]+)"/g)].map((match): [string, string] => [
      match[1] as string,
      'on',
    ])
    const answer = await post('/oauth/authorize', {
      base: server.url,
      session,
      body: new URLSearchParams([['request', request], ['decision', 'allow'], ...boxes]).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    return new URL(answer.headers.get('location') as string).searchParams.get('code') as string
  }
})
