import { rm } from 'node:fs/promises'
import type { S3Address } from '@/config/storage-address'
import { scratchFolder } from '../local/scratch'
import { hashOfFile, writeNew } from '../local/write'
import { demandName, demandPrefix } from '../object-names'
import type { Range, Storage } from '../storage'
import { type S3Client, s3Client } from './client'
import { unreached } from './failures'
import { listBucket } from './list'

/** The maximum pause of the storage; a slow reader does not count. */
const PAUSE_MS = 15_000

/** A body that fails instead of hanging when its sender is silent. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  stop: AbortController,
  pauseMs = PAUSE_MS,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(() => stop.abort(new DOMException('', 'TimeoutError')), pauseMs)
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(unreached(error))
        } finally {
          clearTimeout(timer)
        }
      },
      cancel() {
        stop.abort()
      },
    },
    { highWaterMark: 0 },
  )
}

type Terms = { address: S3Address; scratchFolder: string }

/** Uploaded files in a bucket of Amazon S3 or a compatible server. */
export function s3Storage({ address, scratchFolder: folder }: Terms, client = s3Client(address)): Storage {
  const { scratch, leftovers } = scratchFolder(folder)
  const keyOf = (name: string) => {
    demandName(name)
    return address.prefix + name
  }
  return {
    label: `the bucket ${address.bucket} at ${address.endpoint}${address.prefix && `, below ${address.prefix}`}`,
    scratch,
    leftovers,
    read: (name, range) => read(client, keyOf(name), range),
    async find(name) {
      const answer = await client.call({ method: 'HEAD', key: keyOf(name) })
      if (answer === null) return null
      return {
        name,
        size: Number(answer.headers.get('content-length')),
        modifiedAt: new Date(answer.headers.get('last-modified') ?? 0),
      }
    },
    async adopt(name, path) {
      const key = keyOf(name)
      try {
        await client.call({
          method: 'PUT',
          key,
          body: { file: Bun.file(path), sha256: await hashOfFile(path) },
        })
      } finally {
        await rm(path, { force: true })
      }
    },
    async borrow(name) {
      const body = await read(client, keyOf(name))
      if (body === null) return null
      const path = scratch()
      const done = () => rm(path, { force: true })
      await writeNew(path, body).catch(async (error) => {
        await done()
        throw error
      })
      return { path, done }
    },
    async remove(name) {
      await client.call({ method: 'DELETE', key: keyOf(name) })
    },
    list(prefix, onStray) {
      demandPrefix(prefix)
      return listBucket(client, address.prefix, prefix, { onStray })
    },
    freeBytes: async () => null,
    presign: async (name, { length, type, lastsSeconds }) =>
      client.presign(keyOf(name), { 'content-length': String(length), 'content-type': type }, lastsSeconds),
  }
}

async function read(client: S3Client, key: string, range?: Range) {
  const stop = new AbortController()
  const headers = range && { range: `bytes=${range.start}-${range.end - 1}` }
  const answer = await client.call({ method: 'GET', key, headers, stop: stop.signal })
  return answer && watchedBody(answer.body ?? new Blob([]).stream(), stop)
}
