import { deflateSync } from 'node:zlib'

export type Reference = { id: number; toString(): string }

/** Points per millimeter. */
export const MM = 72 / 25.4

/** A PDF 1.7 writer. Deterministic: no clock, no randomness. */
export class PdfDocument {
  readonly #chunks: Uint8Array[] = []
  readonly #offsets: number[] = [0]
  #length = 0

  constructor() {
    // Bytes above 127 mark the file as binary.
    this.#write(Uint8Array.from([...ascii('%PDF-1.7\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a]))
  }

  /** Allocates an object number before its content exists. */
  reserve(): Reference {
    const id = this.#offsets.push(0) - 1
    return { id, toString: () => `${id} 0 R` }
  }

  add(body: string, reference = this.reserve()): Reference {
    this.#offsets[reference.id] = this.#length
    this.#write(ascii(`${reference.id} 0 obj\n${body}\nendobj\n`))
    return reference
  }

  addStream(data: Uint8Array, entries = '', reference = this.reserve()): Reference {
    const packed = deflateSync(data)
    this.#offsets[reference.id] = this.#length
    this.#write(
      ascii(`${reference.id} 0 obj\n<</Length ${packed.length}/Filter/FlateDecode${entries}>>\nstream\n`),
    )
    this.#write(packed)
    this.#write(ascii('\nendstream\nendobj\n'))
    return reference
  }

  finish(root: Reference, info: Reference): Uint8Array {
    const start = this.#length
    const rows = this.#offsets.map((offset, id) =>
      id === 0 ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    )
    const name = hashOf(this.#chunks)
    this.#write(
      ascii(
        `xref\n0 ${rows.length}\n${rows.join('')}trailer\n<</Size ${rows.length}/Root ${root}/Info ${info}/ID[<${name}><${name}>]>>\nstartxref\n${start}\n%%EOF\n`,
      ),
    )
    return Buffer.concat(this.#chunks, this.#length)
  }

  #write(bytes: Uint8Array) {
    this.#chunks.push(bytes)
    this.#length += bytes.length
  }
}

const ascii = (text: string) => Buffer.from(text, 'latin1')

function hashOf(chunks: Uint8Array[]): string {
  const hash = new Bun.CryptoHasher('md5')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** UTF-16 in hex, so that no character can end the string. */
export const pdfText = (text: string) => `<feff${utf16(text)}>`

export const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, index) => hex(text.charCodeAt(index))).join('')

export const hex = (value: number) => value.toString(16).padStart(4, '0')

/** PDF numbers have no exponent; three decimals exceed printer precision. */
export const decimal = (value: number) => String(Math.round(value * 1000) / 1000)
