import { type FileHandle, open } from 'node:fs/promises'
import { badRequest, payloadTooLarge } from '@/core/errors'
import { refusals } from '@/core/refusals'

const CONTENT_TYPE = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i
const HEADERS_MAX = 4096
const FIELDS_MAX = 40
/** Bytes besides the file: boundaries, headers and other fields, such as a description of 40,000 bytes. */
const AROUND_MAX = 64 * 1024

type Taken = { filename: string; contentType: string; size: number }

type Terms<Name extends string> = {
  /** Where the bytes of each file field go. */
  paths: Readonly<Record<Name, string>>
  /** For each file. */
  bytesMax: number
  /** Called with the fields before each file, before any of its bytes is written. */
  onFile: (fields: URLSearchParams) => void
}

const damaged = () => badRequest(refusals.incompleteForm)

/**
 * Reads a form with files (RFC 7578), which browsers send without script. Streams them to disk, so that a hundred uploads cost
 * little memory. `files` lacks fields for which none was chosen.
 */
export async function readFileForm<Name extends string>(
  request: Request,
  { paths, bytesMax, onFile }: Terms<Name>,
): Promise<{ fields: URLSearchParams; files: Map<Name, Taken> }> {
  const boundary = CONTENT_TYPE.exec(request.headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined || request.body === null) throw badRequest(refusals.multipartOnly)
  const bodyMax = Object.keys(paths).length * bytesMax + AROUND_MAX
  const fields: Texts = []
  const files = new Map<Name, Taken>()
  let sink: FileHandle | undefined
  let typed = 0
  try {
    for await (const { part, bytes, isFirst } of piecesOf(request.body, boundary)) {
      const { filename, contentType } = part
      if (filename === undefined) {
        if (isFirst && fields.length >= FIELDS_MAX) throw damaged()
        typed += bytes.length
        if (typed > AROUND_MAX) throw payloadTooLarge(AROUND_MAX)
        if (isFirst) fields.push([part.name, ''])
        ;(fields.at(-1) as Texts[number])[1] += bytes.toString('latin1')
        continue
      }
      if (!Object.hasOwn(paths, part.name)) throw damaged()
      const name = part.name as Name
      if (isFirst) {
        if (files.has(name)) throw badRequest(refusals.oneFile)
        onFile(decoded(fields))
        if (Number(request.headers.get('content-length')) > bodyMax) throw payloadTooLarge(bytesMax)
        files.set(name, { filename, contentType, size: 0 })
        await sink?.close()
        sink = await open(paths[name], 'wx')
      }
      const file = files.get(name) as Taken
      file.size += bytes.length
      if (file.size > bytesMax) throw payloadTooLarge(bytesMax)
      await sink?.write(bytes)
    }
  } finally {
    await sink?.close()
  }
  for (const [name, { filename, size }] of files) if (filename === '' && size === 0) files.delete(name)
  return { fields: decoded(fields), files }
}

/** Names and undecoded values, in the order of the form. */
type Texts = [name: string, text: string][]

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Chunks may split a character, so texts are decoded as a whole. */
function decoded(fields: Texts): URLSearchParams {
  try {
    return new URLSearchParams(
      fields.map(([name, text]): [string, string] => [name, UTF8.decode(Buffer.from(text, 'latin1'))]),
    )
  } catch {
    throw badRequest(refusals.utf8Only)
  }
}

type Part = { name: string; filename?: string; contentType: string }
type Piece = { part: Part; bytes: Buffer; isFirst: boolean }

const LINE = '\r\n'
const HEAD_END = '\r\n\r\n'

/** The contents of the parts, chunk by chunk; each part has at least one, which may be empty. */
async function* piecesOf(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<Piece> {
  const delimiter = Buffer.from(`${LINE}--${boundary}`)
  // The first boundary has no preceding line.
  let held = Buffer.from(LINE)
  let part: Part | undefined
  let isFirst = true
  let isAtDelimiter = false
  for await (const chunk of body) {
    held = Buffer.concat([held, chunk])
    for (;;) {
      if (isAtDelimiter) {
        if (held.length < 2) break
        if (held.subarray(0, 2).toString('latin1') === '--') return
        const end = held.indexOf(HEAD_END)
        if (end === -1) {
          if (held.length > HEADERS_MAX) throw damaged()
          break
        }
        part = partOf(held.subarray(0, end).toString('utf8'))
        held = held.subarray(end + HEAD_END.length)
        ;[isAtDelimiter, isFirst] = [false, true]
      }
      const found = held.indexOf(delimiter)
      // The held-back bytes may be the beginning of a boundary.
      const sure = found === -1 ? Math.max(0, held.length - delimiter.length + 1) : found
      if (part !== undefined && (sure > 0 || found !== -1)) {
        yield { part, bytes: held.subarray(0, sure), isFirst }
        isFirst = false
      } else if (sure > 0) throw damaged()
      held = held.subarray(sure)
      if (found === -1) break
      held = held.subarray(delimiter.length)
      isAtDelimiter = true
    }
  }
  throw damaged()
}

/** Browsers quote names, and percent-encode quotes and line breaks in them. */
function partOf(head: string): Part {
  const disposition = /content-disposition:\s*form-data;([^\r\n]*)/i.exec(head)?.[1] ?? ''
  const name = /\bname="([^"]{1,100})"/i.exec(disposition.replace(/\bfilename="[^"]*"/i, ''))?.[1]
  const filename = /\bfilename="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) throw damaged()
  const contentType = /content-type:\s*([^\s;]{1,100})/i.exec(head)?.[1] ?? 'application/octet-stream'
  return { name, filename: filename?.replaceAll('%22', '"'), contentType: contentType.toLowerCase() }
}
