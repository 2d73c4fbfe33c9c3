import { type ContentType, EXPORT_AS, isPictureType, SAVE_AS } from '../content-types'
import { Refusal } from './refusal'

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
export function demandType(bytes: Uint8Array, declared: ContentType) {
  const found = KINDS.find(({ starts }) => starts(bytes))
  if (found?.type === declared) return
  const wanted = KINDS.find(({ type }) => type === declared)?.name
  if (!found) throw new Refusal(`The file is not ${wanted}.`)
  const advice = found.remedy?.helps(declared) ? `: ${found.remedy.advice}` : ''
  throw new Refusal(`The file is ${found.name}, not ${wanted}${advice}.`)
}
