import { config } from '@/config/config'
import { FILES_PATH, isOurHost } from '@/core/own-addresses'
import type { SmallerPicture } from '@/db/tables/uploads'
import { decodedRest } from '@/http/path-names'
import type { Declared } from './categories'
import { ENDINGS, WIDTHS } from './content/content-types'

type Row = { incoming: string | null; file: string | null; sizes: SmallerPicture[] }

/** Object names. Each write uses a new name, so that the loser of a race removes only its own object. */
export const incomingName = (incoming: string) => `incoming/${incoming}`
export const fileName = (file: string) => `files/${file}`
export const smallerName = (file: string, { width, ending }: Pick<SmallerPicture, 'width' | 'ending'>) =>
  `files/${file}.${width}.${ending}`

export const asSmaller = ({
  width,
  contentType,
  size,
  sha256,
}: Omit<SmallerPicture, 'ending'>): SmallerPicture => ({
  width,
  contentType,
  ending: ENDINGS[contentType] as string,
  size,
  sha256,
})

export const objectsOf = ({ incoming, file, sizes }: Row): string[] => [
  ...(incoming === null ? [] : [incomingName(incoming)]),
  ...(file === null ? [] : [fileName(file), ...sizes.map((smaller) => smallerName(file, smaller))]),
]

const NAME_MAX = 60
/** 128 bits, so that URLs cannot be guessed. */
const RANDOM_BYTES = 16

/** The public name of a file. It includes the sender's file name for readability. */
export const newKey = ({ category, contentType }: Declared, filename: string) =>
  `${category}/${Buffer.from(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))).toString('base64url')}/${safeName(filename, contentType)}`

/** Letters, digits and hyphens, with the extension of the type. */
function safeName(filename: string, contentType: string): string {
  const { stem, extension } = partsOf(filename)
  const plain = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replace(/^-+|-+$/g, '')
  return `${plain || 'file'}.${ENDINGS[contentType] ?? safeExtension(extension)}`
}

/** Strips folders. A leading dot alone starts no extension. */
export function partsOf(filename: string): { stem: string; extension: string } {
  const own = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const cut = own.lastIndexOf('.')
  return cut > 0 ? { stem: own.slice(0, cut), extension: own.slice(cut + 1) } : { stem: own, extension: '' }
}

const safeExtension = (extension: string) =>
  /^[A-Za-z0-9]{1,8}$/.test(extension) ? extension.toLowerCase() : 'bin'

/** Whether `newKey` could have generated it; other keys are never looked up. */
export const isKey = (key: string): boolean =>
  /^[a-z-]{1,20}\/[\w-]{22}\/[A-Za-z0-9-]{1,60}\.[a-z0-9]{1,8}$/.test(key)

/** For a URL of ours without a valid key: no upload has it. */
const NO_KEY = ''

export const publicPath = (key: string) => FILES_PATH + key
export const publicUrl = (key: string) => config.baseUrl + publicPath(key)

/**
 * The key in a URL of ours, with or without host and width; `NO_KEY` if it holds no valid one; undefined for other URLs. Former
 * hosts count as ours.
 */
export function keyOf(address: string): string | undefined {
  const url = URL.parse(address, config.baseUrl)
  if (!url || !isOurHost(url.host) || !url.pathname.startsWith(FILES_PATH)) return undefined
  const key = decodedRest(url.pathname.slice(FILES_PATH.length))
  return isKey(key) ? key : NO_KEY
}

/** The canonical stored form; drops widths that do not exist. */
export function canonicalUrl(key: string, address: string): string {
  const width = URL.parse(address, config.baseUrl)?.searchParams.get('w')
  return WIDTHS.some((known) => String(known) === width) ? `${publicUrl(key)}?w=${width}` : publicUrl(key)
}
