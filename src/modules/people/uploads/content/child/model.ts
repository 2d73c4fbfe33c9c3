import { DAMAGED, Refusal } from './refusal'

const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
/** Every key, also in the first of two duplicates, which `JSON.parse` would not show. */
const KEYS = /"((?:[^"\\]|\\.)*)"\s*:/g

/**
 * Checks the container of a GLB: version, lengths and order of its chunks, and that it loads nothing by URI. The file is stored
 * unchanged and served only as a download, so its geometry and textures are the viewer's to check.
 */
export function checkModel(file: Uint8Array): void {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 20 || bytes.getUint32(8, true) !== file.length) throw new Refusal(DAMAGED)
  if (bytes.getUint32(4, true) !== 2) throw new Refusal('The model is not of glTF version 2.')
  const [first, ...others] = readChunks(file, bytes)
  if (first?.type !== JSON_CHUNK) throw new Refusal(DAMAGED)
  if (others.some(({ type }) => type === JSON_CHUNK)) throw new Refusal(DAMAGED)
  if (others.slice(1).some(({ type }) => type === BINARY_CHUNK)) throw new Refusal(DAMAGED)
  checkJson(first.data)
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

function checkJson(bytes: Uint8Array): void {
  const json = parsed(bytes)
  if (!/^2\.\d+$/.test(String(json.model?.asset?.version))) throw new Refusal(DAMAGED)
  // A viewer would load any URI: a stranger's server would see who looks at the model.
  for (const [, key] of json.text.matchAll(KEYS))
    if (JSON.parse(`"${key}"`) === 'uri')
      throw new Refusal('The model refers to other files: export it with everything embedded in one GLB.')
}

function parsed(bytes: Uint8Array) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { text, model: JSON.parse(text) as { asset?: { version?: unknown } } | null }
  } catch {
    throw new Refusal(DAMAGED)
  }
}
