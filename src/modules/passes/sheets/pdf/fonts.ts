import type { Face } from '../fonts/face'
import { subsetOf } from '../fonts/subset'
import { decimal, hex, type PdfDocument, type Reference, utf16 } from './document'

/** Glyphs in use. A glyph that represents different texts gets a code for each, so that copied text is correct. */
class UsedFont {
  readonly codes: { glyph: number; text: string }[] = [{ glyph: 0, text: '' }]
  readonly #known = new Map<number, Map<string, string>>()

  constructor(
    readonly name: string,
    readonly face: Face,
  ) {}

  codeOf(glyph: number, text: string): string {
    const known = this.#known.get(glyph)?.get(text)
    if (known !== undefined) return known
    const code = hex(this.codes.push({ glyph, text }) - 1)
    const byText = this.#known.get(glyph) ?? new Map<string, string>()
    this.#known.set(glyph, byText.set(text, code))
    return code
  }
}

export class UsedFonts {
  readonly #used = new Map<Face, UsedFont>()

  use(face: Face): UsedFont {
    const known = this.#used.get(face)
    if (known) return known
    const font = new UsedFont(`F${this.#used.size + 1}`, face)
    this.#used.set(face, font)
    return font
  }

  /** Embeds the used subsets and returns the /Font dictionary entries. */
  async embed(pdf: PdfDocument, between: () => Promise<void>): Promise<string> {
    const entries: string[] = []
    for (const font of this.#used.values()) {
      entries.push(`/${font.name} ${await embedded(font, pdf)}`)
      await between()
    }
    return entries.join('')
  }
}

async function embedded({ face, codes }: UsedFont, pdf: PdfDocument): Promise<Reference> {
  const cut = await subsetOf(face.bytes, new Set(codes.map(({ glyph }) => glyph)), face.pinnedWeight)
  const file = pdf.addStream(cut, `/Length1 ${cut.length}`)
  const name = `${tagOf(cut)}+${face.name}-${face.weight === 'bold' ? 'Bold' : 'Regular'}`
  const { ascender, descender } = face.font.hExtents()
  const thousandths = (units: number) => Math.round((units * 1000) / face.unitsPerEm)
  const descriptor = pdf.add(
    `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[-1000 ${thousandths(descender)} 2000 ${thousandths(ascender)}]/ItalicAngle 0/Ascent ${thousandths(ascender)}/Descent ${thousandths(descender)}/CapHeight 714/StemV ${face.weight === 'bold' ? 140 : 80}/FontFile2 ${file}>>`,
  )
  const widths = codes.map(({ glyph }) => decimal(face.advanceOf(glyph) * 1000)).join(' ')
  const toGlyphs = pdf.addStream(Uint8Array.from(codes.flatMap(({ glyph }) => [glyph >> 8, glyph & 0xff])))
  const descendant = pdf.add(
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ${descriptor}/CIDToGIDMap ${toGlyphs}/W[0[${widths}]]>>`,
  )
  const toUnicode = pdf.addStream(Buffer.from(characterMap(codes), 'latin1'))
  return pdf.add(
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${descendant}]/ToUnicode ${toUnicode}>>`,
  )
}

/** The six-letter subset tag. */
function tagOf(cut: Uint8Array): string {
  let rest = Bun.hash.crc32(cut)
  return Array.from({ length: 6 }, () => {
    const letter = String.fromCharCode(65 + (rest % 26))
    rest = Math.floor(rest / 26)
    return letter
  }).join('')
}

/** ToUnicode: makes text searchable, copyable and readable aloud. */
function characterMap(codes: UsedFont['codes']): string {
  const said = codes.map(({ text }, code) => ({ code, text })).filter(({ text }) => text !== '')
  const blocks: string[] = []
  // bfchar blocks hold at most a hundred entries.
  for (let start = 0; start < said.length; start += 100) {
    const rows = said.slice(start, start + 100)
    blocks.push(
      `${rows.length} beginbfchar\n${rows.map(({ code, text }) => `<${hex(code)}> <${utf16(text)}>`).join('\n')}\nendbfchar`,
    )
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
