import { readFileSync } from 'node:fs'
import { accent } from './accent'
import { ConfigError } from './error'
import type { Reader } from './reader'

const TEXT_MAX = 200 * 1024
const LOGO_MAX = 256 * 1024

export const site = (read: Reader) => ({
  tagline: read.line('SITE_TAGLINE', '', 200),
  accent: accent(read.text('SITE_ACCENT', '')),
  logo: logo(read.text('SITE_LOGO', '')),
  /** The operator's texts, in Markdown. */
  texts: {
    about: text('ABOUT_FILE', read),
    terms: text('TERMS_FILE', read),
    privacy: text('PRIVACY_FILE', read),
  },
})

export type LogoKind = 'svg' | 'png' | 'jpg' | 'webp'
export type Logo = { kind: LogoKind; bytes: Uint8Array<ArrayBuffer> }

/** Magic bytes of each kind, as Latin-1. */
const KINDS: [LogoKind, RegExp][] = [
  ['png', /^\x89PNG\r\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['svg', /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!--|!DOCTYPE svg)/i],
]

function logo(path: string): Logo | null {
  if (path === '') return null
  const bytes = content('SITE_LOGO', path, LOGO_MAX)
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const kind = KINDS.find(([, begins]) => begins.test(head))?.[0]
  if (kind === undefined)
    throw new ConfigError(
      `SITE_LOGO names ${path}, which is no picture: give it an SVG, PNG, JPEG or WebP file.`,
    )
  return { kind, bytes }
}

function text(name: string, read: Reader): string | null {
  const path = read.text(name, '')
  if (path === '') return null
  const bytes = content(name, path, TEXT_MAX)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ConfigError(`${name} names ${path}, which is no text in UTF-8.`)
  }
}

function content(name: string, path: string, max: number): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(readFileSync(path))
  } catch (error) {
    throw new ConfigError(
      `${name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code}): set it to a file.`,
    )
  }
  if (bytes.length > max)
    throw new ConfigError(`${name} names ${path}, which is larger than ${max / 1024} KB.`)
  return bytes
}
