import { open } from 'node:fs/promises'
import { badRequest, payloadTooLarge } from '@/core/errors'

const CONTENT_TYPE = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i
const HEADERS_MAX = 4096
const FIELDS_MAX = 40
/** Bytes besides the file: boundaries, headers and other fields, such as a description of 40,000 bytes. */
const AROUND_MAX = 64 * 1024

type Taken = { filename: string; contentType: string; size: number }

type Terms = {
  /** The destination of the file's bytes. */
  path: string
  bytesMax: number
  /** Called with the fields before the file, before any byte is written. */
  onFile: (fields: URLSearchParams) => void
}

const damaged = () => badRequest('This form was not sent whole')

/**
 * Reads a form with a file (RFC 7578), which browsers send without script. Streams the file to disk, so that a hundred uploads
 * cost little memory. `file` is absent if none was chosen.
 */
export async function readFileForm(
  request: Request,
  { path, bytesMax, onFile }: Terms,
): Promise<{ fields: URLSearchParams; file?: Taken }> {
  const boundary = CONTENT_TYPE.exec(request.headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined || request.body === null)
    throw badRequest('Send the body as multipart/form-data')
  const fields = new URLSearchParams()
  const sink = await open(path, 'wx')
  let taken: Taken | undefined
  let typed = 0
  try {
    for await (const piece of piecesOf(request.body, boundary)) {
      const { name, filename, contentType } = piece.part
      if (filename === undefined) {
        if (piece.isFirst && fields.size >= FIELDS_MAX) throw damaged()
        const text =
          (piece.isFirst ? '' : (fields.getAll(name).at(-1) ?? '')) + piece.bytes.toString('latin1')
        typed += piece.bytes.length
        if (typed > AROUND_MAX) throw payloadTooLarge(AROUND_MAX)
        fields.set(name, text)
      } else {
        if (piece.isFirst) {
          if (taken !== undefined) throw badRequest('Send one file at a time')
          onFile(decoded(fields))
          if (Number(request.headers.get('content-length')) > bytesMax + AROUND_MAX)
            throw payloadTooLarge(bytesMax)
          taken = { filename, contentType, size: 0 }
        }
        const file = taken as Taken
        file.size += piece.bytes.length
        if (file.size > bytesMax) throw payloadTooLarge(bytesMax)
        await sink.write(piece.bytes)
      }
    }
  } finally {
    await sink.close()
  }
  const isChosen = taken !== undefined && (taken.filename !== '' || taken.size > 0)
  return { fields: decoded(fields), ...(isChosen && { file: taken }) }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Chunks may split a character, so texts are decoded as a whole. */
function decoded(fields: URLSearchParams): URLSearchParams {
  try {
    return new URLSearchParams(
      [...fields].map(([name, text]): [string, string] => [name, UTF8.decode(Buffer.from(text, 'latin1'))]),
    )
  } catch {
    throw badRequest('Send the texts of a form as UTF-8')
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
