import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { type Seeded, seedPeople } from '../test/support/seed'
import { residentBytes } from './figures'
import { median } from './median'
import { slowest } from './paced'
import { type Server, type Surroundings, startServer } from './server'

export const UPLOADS = { name: 'uploads: 100 of 10 MB at once, and photos beside the API' }

const SENDERS = 100
const BYTES = 10 * 1024 * 1024
const ROUNDS = 6
/** A request that asks the database: a cached answer would show nothing. */
const ASKED = '/v1/uploads/usage'

export type Uploads = {
  /** Resident megabytes of the server before a hundred people send at once, and the most while they do. */
  memory: { before: number; peak: number }
  /** The 99th percentile of the API in milliseconds, alone and while photos are checked. */
  api: { alone: number; beside: number; photos: number }
}

/** The server runs its worker itself, as on a small machine, so photos are checked on the core that answers requests. */
export async function measureUploads(
  surroundings: Surroundings,
  say: (what: string) => void,
): Promise<Uploads> {
  const [person] = (await seedPeople(surroundings.databaseUrl, 1, ['write:uploads', 'user'])) as [Seeded]
  const server = await startServer(surroundings, {
    WORKER: 'embedded',
    STORAGE_URL: pathToFileURL(join(surroundings.folder, 'uploads')).href,
    STORAGE_KEEP_FREE: '0',
    QUOTA_UPLOADED_BYTES: String(1024 ** 4),
  })
  say(`${SENDERS} uploads of 10 MB at once`)
  await sendAll(server, person.token, 10)
  const memory = await sendAll(server, person.token, SENDERS)
  say('the API beside photos that are checked')
  const api = await besidePhotos(server, person.token)
  await server.stop()
  return { memory, api }
}

async function sendAll({ url, pid }: Server, token: string, senders: number) {
  const content = new Uint8Array(BYTES)
  const type = 'application/octet-stream'
  const addresses: string[] = []
  for (let i = 0; i < senders; i += 1) addresses.push(await ask(url, token, type, content))
  const before = megabytes(pid)
  let peak = before
  const watching = setInterval(() => {
    peak = Math.max(peak, megabytes(pid))
  }, 20)
  await Promise.all(addresses.map((address) => send(address, type, content)))
  clearInterval(watching)
  return { before, peak }
}

const megabytes = (pid: number) => residentBytes(pid) / 1e6

/** Alone and beside take turns, so that a machine that others use too is as slow for one as for the other. */
async function besidePhotos({ url }: Server, token: string) {
  const photo = await drawPhoto()
  const found = { alone: [] as number[], beside: [] as number[] }
  let photos = 0
  await slowest(url, token, ASKED)
  for (let round = 0; round < ROUNDS; round += 1) {
    found.alone.push(await slowest(url, token, ASKED))
    let isOver = false
    const sending = (async () => {
      while (!isOver) {
        await send(await ask(url, token, 'image/jpeg', photo), 'image/jpeg', photo)
        photos += 1
      }
    })()
    found.beside.push(await slowest(url, token, ASKED))
    isOver = true
    await sending
  }
  return { alone: median(found.alone), beside: median(found.beside), photos }
}

/** Twelve million pixels with something in each, as a phone takes them. */
async function drawPhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const picture = sharp({ create: { width: 1000, height: 750, channels: 3, background: '#fff', noise } })
  return new Uint8Array(await picture.resize(4000, 3000).jpeg({ quality: 85 }).toBuffer())
}

async function ask(url: string, token: string, contentType: string, content: Uint8Array): Promise<string> {
  const response = await fetch(`${url}/v1/uploads/request`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ category: 'media', filename: 'x', contentType, size: content.byteLength }),
  })
  if (response.status !== 201) throw new Error(`${response.status} to the wish to upload`)
  return ((await response.json()) as { data: { uploadUrl: string } }).data.uploadUrl
}

async function send(address: string, contentType: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await fetch(address, { method: 'PUT', headers: { 'content-type': contentType }, body })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${response.status} to an upload`)
}
