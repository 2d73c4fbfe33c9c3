import { DAMAGED, Refusal } from '../refusal'

const MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942

export type Container = { json: Uint8Array; binary: Uint8Array | null }

/** Reads the JSON chunk and the optional binary chunk; skips others. */
export function readContainer(file: Uint8Array): Container {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 20 || bytes.getUint32(8, true) !== file.length) throw new Refusal(DAMAGED)
  if (bytes.getUint32(4, true) !== 2) throw new Refusal('The model is not of glTF version 2.')
  const chunks = [...readChunks(file, bytes)]
  const [first, second] = chunks
  if (first?.type !== JSON_CHUNK) throw new Refusal(DAMAGED)
  if (chunks.slice(1).some(({ type }) => type === JSON_CHUNK)) throw new Refusal(DAMAGED)
  if (chunks.slice(2).some(({ type }) => type === BINARY_CHUNK)) throw new Refusal(DAMAGED)
  return { json: first.data, binary: second?.type === BINARY_CHUNK ? second.data : null }
}

function* readChunks(file: Uint8Array, bytes: DataView) {
  for (let at = 12; at < file.length; ) {
    if (at + 8 > file.length) throw new Refusal(DAMAGED)
    const length = bytes.getUint32(at, true)
    if (length % 4 !== 0 || at + 8 + length > file.length) throw new Refusal(DAMAGED)
    yield { type: bytes.getUint32(at + 4, true), data: file.subarray(at + 8, at + 8 + length) }
    at += 8 + length
  }
}

export function writeContainer({ json, binary }: Container): Uint8Array {
  const chunks = [{ type: JSON_CHUNK, data: json, padding: 0x20 }]
  if (binary) chunks.push({ type: BINARY_CHUNK, data: binary, padding: 0 })
  const file = new Uint8Array(chunks.reduce((sum, { data }) => sum + 8 + padded(data.length), 12))
  const bytes = new DataView(file.buffer)
  for (const [index, number] of [MAGIC, 2, file.length].entries()) bytes.setUint32(index * 4, number, true)
  let at = 12
  for (const { type, data, padding } of chunks) {
    bytes.setUint32(at, padded(data.length), true)
    bytes.setUint32(at + 4, type, true)
    file.fill(padding, at + 8, at + 8 + padded(data.length))
    file.set(data, at + 8)
    at += 8 + padded(data.length)
  }
  return file
}

const padded = (length: number) => Math.ceil(length / 4) * 4
