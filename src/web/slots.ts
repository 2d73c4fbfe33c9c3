import { Html } from './html'

/** Placeholders on a page, filled per reader, maybe from the visitors' version; the rest is the same for everyone. */
export type Slots = Readonly<Record<string, Html | ((forStrangers: string) => Html)>>

/** Unguessable, so that no text can forge a slot. */
const SECRET = Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('hex')
const MARK = new RegExp(`\u0001${SECRET}:([a-z-]+)\u0001([^\u0001]*)\u0001`)

/** A placeholder with the visitors' version. */
export const slot = (name: string, forStrangers: Html): Html =>
  new Html(`\u0001${SECRET}:${name}\u0001${forStrangers.text}\u0001`)

/** A document split into texts and, between them, slot names with the visitors' version. */
export type SplitDocument = {
  texts: readonly string[]
  names: readonly string[]
  defaults: readonly string[]
}

export function splitAtSlots(text: string): SplitDocument {
  const pieces = text.split(MARK)
  const [texts, names, defaults] = [[] as string[], [] as string[], [] as string[]]
  for (let i = 0; i < pieces.length; i += 3) {
    texts.push(pieces[i] as string)
    if (i + 2 < pieces.length) {
      names.push(pieces[i + 1] as string)
      defaults.push(pieces[i + 2] as string)
    }
  }
  return { texts, names, defaults }
}

/** The document with these slots; without any, for visitors. */
export function filled({ texts, names, defaults }: SplitDocument, slots: Slots = {}): string {
  let text = texts[0] as string
  for (let i = 0; i < names.length; i += 1) {
    const forStrangers = defaults[i] as string
    const own = slots[names[i] as string]
    const part = typeof own === 'function' ? own(forStrangers).text : (own?.text ?? forStrangers)
    // Personal parts may contain slots in turn, such as times in event rows.
    text += (part.includes('\u0001') ? filled(splitAtSlots(part), slots) : part) + (texts[i + 1] as string)
  }
  return text
}
