import { inTurns } from '@/core/in-turns'
import { type Face, openFace, unpacker } from './face'
import { COMMON, type FontFile, filesFor, type HanFamily, type Weight } from './families'

/** Fonts of a sheet, opened before drawing. */
export type Library = {
  /** Faces for a text, best first; only the common face if the text was not announced. */
  facesFor(text: string, weight: Weight): (character: number) => readonly Face[]
}

/** Kana imply Japanese and hangul Korean; otherwise Han counts as simplified Chinese. */
export function hanOrder(text: string): readonly HanFamily[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return JAPANESE
  return /\p{Script=Hangul}/u.test(text) ? KOREAN : CHINESE
}

const JAPANESE = ['jp', 'sc', 'kr'] as const
const KOREAN = ['kr', 'sc', 'jp'] as const
const CHINESE = ['sc', 'jp', 'kr'] as const

/** Opens the fonts for these texts. A font is opened only if all earlier ones lack a character. */
export async function openLibrary(texts: Iterable<readonly [string, Weight]>): Promise<Library> {
  const opened = new Map<string, Face>()
  const unpacked = unpacker()
  const open = async (file: FontFile, weight: Weight) => {
    const key = `${file.key}-${weight}`
    const face = opened.get(key) ?? openFace(file, weight, await unpacked(file.pathOf(weight)))
    opened.set(key, face)
    return face
  }
  const asked = new Map<string, Asked>()
  const askedBy = (text: string, weight: Weight) => {
    const han = hanOrder(text)
    const key = `${han[0]}-${weight}`
    const known = asked.get(key) ?? { han, weight, faces: new Map<number, Face[]>() }
    asked.set(key, known)
    return known.faces
  }
  await inTurns([...texts], ([text, weight]) => {
    const faces = askedBy(text, weight)
    for (const letter of text) {
      const character = letter.codePointAt(0) as number
      if (!faces.has(character)) faces.set(character, [])
    }
  })
  for (const { han, weight, faces } of asked.values())
    for (const [character, found] of faces)
      for await (const file of filesFor(character, han)) {
        const face = await open(file, weight)
        found.push(face)
        if (face.hasCharacter(character)) break
      }
  return {
    facesFor: (text, weight) => {
      const faces = askedBy(text, weight)
      const common = opened.get(`${COMMON.key}-${weight}`)
      const unannounced = common ? [common] : []
      return (character) => faces.get(character) ?? unannounced
    },
  }
}

type Asked = { han: readonly HanFamily[]; weight: Weight; faces: Map<number, Face[]> }
