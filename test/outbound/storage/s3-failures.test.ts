import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '@/core/reason'
import { s3Client } from '@/outbound/storage/s3/client'
import { s3Storage, watchedBody } from '@/outbound/storage/s3/s3'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'

const NAME = 'files/019a8f3e-7c1b-7d2a-9e4f-0123456789ab'
const SECRET = 'a-secret-that-nobody-sees'
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-s3-'))

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

/** A server that says exactly this, and then hangs up or falls silent. */
async function saying(...answers: string[]) {
  const heard: string[] = []
  const heads: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      if (!/^[A-Z]+ \//.test(text)) return
      heads.push((text.split('\r\n\r\n')[0] as string).toLowerCase())
      heard.push(text.split('\r\n')[0] as string)
      const answer = answers[Math.min(heard.length, answers.length) - 1]
      if (answer === undefined) return
      if (answer === '') socket.destroy()
      else if (answer.endsWith('…')) socket.write(answer.slice(0, -1))
      else socket.end(answer)
    })
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const address = {
    kind: 's3' as const,
    endpoint: `http://127.0.0.1:${port}`,
    ...{ region: 'us-east-1', bucket: 'b', prefix: '', accessKey: 'key', secretKey: SECRET },
  }
  return { heard, heads, storage: s3Storage({ address, scratchFolder: folder }, s3Client(address, 300)) }
}

const answer = (status: string, body = '', length = body.length) =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`
const refusal = (status: string, code: string) =>
  answer(status, `<Error><Code>${code}</Code><Message>${SECRET}</Message></Error>`)

const failureOf = async (work: unknown) => {
  const failure = await Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(JSON.stringify(reasonOf(failure)) + Bun.inspect(failure)).not.toContain(SECRET)
  return failure
}

describe('a request to S3', () => {
  test('says the length of what it sends, and wants content as it is stored', async () => {
    const { storage, heads } = await saying(answer('200 OK'), answer('200 OK', 'text'))
    const path = storage.scratch()
    writeFileSync(path, 'text')
    await storage.adopt(NAME, path)
    await new Response(await storage.read(NAME)).text()
    expect(heads[0]).toContain('\r\ncontent-length: 4')
    expect(heads[0]).not.toContain('transfer-encoding')
    expect(heads[1]).toContain('\r\naccept-encoding: identity')
    for (const head of heads) expect(head).not.toMatch(/signedheaders=[^,]*accept-encoding/)
  })
})

describe('S3 that fails', () => {
  test('is asked a second time when it was only busy or hung up', async () => {
    for (const first of [refusal('503 Slow Down', 'SlowDown'), answer('500 Oh'), '']) {
      const { storage, heard } = await saying(first, answer('200 OK', 'text'))
      const body = await storage.read(NAME)
      expect(await new Response(body).text()).toBe('text')
      expect(heard).toEqual([`GET /b/${NAME} HTTP/1.1`, `GET /b/${NAME} HTTP/1.1`])
    }
  })

  test('is down when it refuses, is empty of sense, or sends us elsewhere', async () => {
    const answers: [string, string][] = [
      [refusal('403 Forbidden', 'InvalidAccessKeyId'), 'InvalidAccessKeyId'],
      [refusal('404 Not Found', 'NoSuchBucket'), 'NoSuchBucket'],
      [refusal('500 Oh', 'InternalError'), 'InternalError'],
      [answer('502 Bad Gateway', `<html>${SECRET}`), 'HTTP_502'],
      [`HTTP/1.1 307 Away\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n`, 'HTTP_307'],
    ]
    for (const [said, code] of answers) {
      const { storage } = await saying(said)
      const failure = await failureOf(storage.read(NAME))
      expect(failure).toBeInstanceOf(StorageDown)
      expect(reasonOf(failure)).toMatchObject({ fault: 'StorageDown', code })
    }
    const { storage } = await saying(answer('200 OK', '<html>a list of something</html>'))
    expect(await failureOf(Array.fromAsync(storage.list('')))).toBeInstanceOf(StorageDown)
  })

  test('is full by several names', async () => {
    for (const said of [
      refusal('507 Insufficient Storage', 'XMinioStorageFull'),
      refusal('403 Forbidden', 'QuotaExceeded'),
      refusal('413 Too Large', 'EntityTooLarge'),
    ]) {
      const { storage } = await saying(said)
      const path = storage.scratch()
      writeFileSync(path, 'text')
      expect(await failureOf(storage.adopt(NAME, path))).toBeInstanceOf(StorageFull)
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('is down when it falls silent: before an answer, in a list, or in the middle of a refusal', async () => {
    for (const said of [
      undefined,
      `${answer('200 OK', '<ListBu', 500)}…`,
      `${answer('403 No', '<Er', 500)}…`,
    ]) {
      const { storage } = await saying(...(said === undefined ? [] : [said]))
      expect(await failureOf(Array.fromAsync(storage.list('')))).toBeInstanceOf(StorageDown)
    }
    const { storage } = await saying(`${answer('403 No', '<Er', 500)}…`)
    expect(await failureOf(storage.read(NAME))).toBeInstanceOf(StorageDown)
  })

  test('is down when nothing listens', async () => {
    const { storage } = await saying('')
    open.pop()?.close()
    expect(await failureOf(storage.find(NAME))).toBeInstanceOf(StorageDown)
  })

  test('lends no half of a file', async () => {
    const { storage } = await saying(answer('200 OK', 'half of', 14))
    expect(await failureOf(storage.borrow(NAME))).toBeInstanceOf(StorageDown)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a body from S3', () => {
  test('fails when its sender falls silent, and waits for a slow reader', async () => {
    const stop = new AbortController()
    let sent = 0
    const silent = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1
        if (sent < 3) return controller.enqueue(new Uint8Array(10))
        return new Promise((_, reject) => {
          stop.signal.addEventListener('abort', () => reject(stop.signal.reason))
        })
      },
    })
    const reader = watchedBody(silent, stop, 50).getReader()
    await reader.read()
    await Bun.sleep(120)
    expect((await reader.read()).value?.byteLength).toBe(10)
    expect(await failureOf(reader.read())).toBeInstanceOf(StorageDown)
  })

  test('is ended when its reader goes away', async () => {
    const stop = new AbortController()
    const body = watchedBody(new Blob(['text']).stream(), stop)
    await body.cancel()
    expect(stop.signal.aborted).toBe(true)
  })
})
