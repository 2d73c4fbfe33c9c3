import { deflateSync } from 'node:zlib'
import { apiUrl, type Json, post } from './api'
import { makeCaller } from './make'

/** A picture of one colour, small enough to be checked at once, and smaller afterwards. */
export function png(width = 40, height = 30, [red, green, blue] = [200, 80, 60]): Uint8Array<ArrayBuffer> {
  const row = [0, ...Array.from({ length: width }, () => [red, green, blue]).flat()] as number[]
  const pixels = deflateSync(Buffer.from(Array.from({ length: height }, () => row).flat()), { level: 0 })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]),
  )
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, sum])
}

export const makeUploader = () => makeCaller(['write:uploads'])

type Asked = { key: string; uploadUrl: string; publicUrl: string }

export const asPng = (bytes: Uint8Array) => ({
  category: 'avatar',
  filename: 'me.png',
  contentType: 'image/png',
  size: bytes.byteLength,
})

export async function ask(token: string, json: object, base = apiUrl()): Promise<Asked> {
  const { status, body } = await post('/v1/uploads/request', { token, json, base })
  if (status !== 201) throw new Error(`asking for an upload: ${status} ${JSON.stringify(body)}`)
  return body.data
}

type Sent = { status: number; body: Json }

/** Sends to the path of the address: what a test listens at is not called by its base URL. */
export async function send(
  uploadUrl: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream | string,
  headers: Record<string, string> = { 'content-type': 'image/png' },
  { base = apiUrl(), method = 'PUT' } = {},
): Promise<Sent> {
  const response = await fetch(base + new URL(uploadUrl).pathname, { method, body, headers })
  return { status: response.status, body: await response.json().catch(() => undefined) }
}

/** The whole way: asked for, sent and checked. Needs a worker. */
export async function upload(token: string, bytes = png(), more: object = {}): Promise<Asked> {
  const declared = { ...asPng(bytes), ...more }
  const asked = await ask(token, declared)
  const { status, body } = await send(asked.uploadUrl, bytes, { 'content-type': declared.contentType })
  if (status !== 200) throw new Error(`sending an upload: ${status} ${JSON.stringify(body)}`)
  return asked
}
