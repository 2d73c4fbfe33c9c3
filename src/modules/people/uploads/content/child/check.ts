import { stat } from 'node:fs/promises'
import {
  type ContentType,
  EXPORT_AS,
  type Finding,
  isPictureType,
  type Made,
  type Order,
  SAVE_AS,
} from '../content-types'
import { copy, DAMAGED, Refusal } from './refusal'

/** `remedy` applies if `helps` accepts the declared type. */
type Kind = { name: string; type?: ContentType; remedy?: Remedy; starts: (bytes: Uint8Array) => boolean }

const text = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)))
const has =
  (word: string, at = 0) =>
  (bytes: Uint8Array) =>
    text(bytes, at, at + word.length) === word
const either =
  (...tests: Kind['starts'][]) =>
  (bytes: Uint8Array) =>
    tests.some((test) => test(bytes))

type Remedy = { helps: (declared: ContentType) => boolean; advice: string }
const PICTURE: Remedy = { helps: isPictureType, advice: SAVE_AS }
const MODEL: Remedy = { helps: (declared) => declared === 'model/gltf-binary', advice: EXPORT_AS }

/** Magic bytes of accepted types, and of common wrong ones. */
const KINDS: Kind[] = [
  { name: 'a JPEG picture', type: 'image/jpeg', starts: has('\xff\xd8\xff') },
  { name: 'a PNG picture', type: 'image/png', starts: has('\x89PNG\r\n\x1a\n') },
  { name: 'a GIF picture', type: 'image/gif', starts: either(has('GIF87a'), has('GIF89a')) },
  {
    name: 'a WebP picture',
    type: 'image/webp',
    starts: (bytes) => has('RIFF')(bytes) && has('WEBP', 8)(bytes),
  },
  { name: 'a GLB model', type: 'model/gltf-binary', starts: has('glTF') },
  {
    name: 'a HEIC picture',
    remedy: PICTURE,
    starts: either(has('ftyphei', 4), has('ftyphev', 4), has('ftypmif1', 4)),
  },
  { name: 'an AVIF picture', remedy: PICTURE, starts: has('ftypavi', 4) },
  { name: 'a TIFF picture', remedy: PICTURE, starts: either(has('II*\0'), has('MM\0*')) },
  { name: 'a BMP picture', remedy: PICTURE, starts: has('BM') },
  { name: 'a video', starts: either(has('ftyp', 4), has('\x1aE\xdf\xa3')) },
  { name: 'a PDF document', starts: has('%PDF') },
  { name: 'a ZIP archive', starts: has('PK') },
  { name: 'a program', starts: either(has('MZ'), has('\x7fELF'), has('#!')) },
  {
    name: 'a page or a drawing in HTML, SVG or XML',
    starts: (bytes) => /^(\xef\xbb\xbf)?\s*</.test(text(bytes, 0, 256)),
  },
  // Also matches `.gltf`, whose buffers and images are separate files.
  { name: 'JSON', remedy: MODEL, starts: (bytes) => /^(\xef\xbb\xbf)?\s*\{/.test(text(bytes, 0, 256)) },
]

/** Refuses a file whose magic bytes do not match the declared type. */
function demandType(bytes: Uint8Array, declared: ContentType) {
  const found = KINDS.find(({ starts }) => starts(bytes))
  if (found?.type === declared) return
  const wanted = KINDS.find(({ type }) => type === declared)?.name
  if (!found) throw new Refusal(`The file is not ${wanted}.`)
  const advice = found.remedy?.helps(declared) ? `: ${found.remedy.advice}` : ''
  throw new Refusal(`The file is ${found.name}, not ${wanted}${advice}.`)
}

const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
/** Every key, also in the first of two duplicates, which `JSON.parse` would not show. */
const KEYS = /"((?:[^"\\]|\\.)*)"\s*:/g

/**
 * Checks the container of a GLB: version, lengths and order of its chunks, and that it loads nothing by URI. The file is stored
 * unchanged and served only as a download, so its geometry and textures are the viewer's to check.
 */
function checkModel(file: Uint8Array): void {
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

/** Checks one file and writes the versions to serve at the given scratch paths. */
export async function check({ path, declared, scratch }: Order): Promise<Finding> {
  const type = declared.contentType as ContentType
  const { size } = await stat(path)
  if (size === 0) throw new Refusal('The file is empty.')
  if (size !== declared.size) throw new Refusal('The file does not have the size that was declared.')

  const nextPath = () => scratch.shift() as string
  // Always served as a download, so any content is allowed.
  if (type === 'application/octet-stream') return plain(type, await copy(path, nextPath(), type))

  const bytes = await Bun.file(path).bytes()
  demandType(bytes, type)
  if (isPictureType(type)) {
    // Loaded lazily: a missing decoder becomes an error, not a crash.
    const { makePicture } = await import('./picture')
    return makePicture(bytes, type, nextPath)
  }
  checkModel(bytes)
  return plain(type, await copy(path, nextPath(), type))
}

const plain = (type: ContentType, main: Made): Finding => ({
  ok: true,
  type,
  main,
  sizes: [],
  width: null,
  height: null,
})
