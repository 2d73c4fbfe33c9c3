import type { Static, TObject } from '@sinclair/typebox'
import type { MailKind } from '@/core/mail-kinds'
import { parser } from '@/core/parse'
import type { Invitation } from '@/outbound/mail/mail'
import type { Language } from '@/words/language'
import type { Words } from '@/words/words'

/** The recipient of a letter. */
export type Reader = {
  userId: string
  name: string
  username: string | null
  email: string
  language: Language
  /** The zone of their clocks; null where they never said. */
  timeZone: string | null
}

/** The parts of a letter, from which its plain and its pretty form are made. */
export type Part =
  | { say: string }
  | { quiet: string }
  | { button: string; url: string }
  /** To be typed elsewhere: large, alone. */
  | { code: string }
  | { facts: [name: string, value: string][] }
  | { list: { text: string; about?: string; url?: string }[] }

export type Written = {
  subject: string
  /** The heading inside; the subject unless it says something else. */
  title?: string
  parts: Part[]
  calendar?: Invitation
  /** Why this came, where `words.mail.reasons` does not say it for the whole kind. */
  reason?: string
}

export type Desk = {
  reader: Reader | null
  words: Words
  language: Language
  /** What a gathered letter is to tell of, the newest first. */
  items: string[]
}

/** Priority of letters within their lane, lowest number first. */
export const URGENCY = {
  security: -4,
  today: -4,
  thisWeek: -3,
  cancellation: -2,
  change: -1,
  awaited: 0,
  important: 1,
  news: 2,
} as const

/** A letter that an area writes. */
export type Letter<D extends TObject = TObject> = {
  name: string
  /** Its preference switch; null for mandatory letters. */
  kind: MailKind | null
  urgency: keyof typeof URGENCY
  /** Ids only: the letter's content is read at sending time. */
  data: D
  /** Reads the data of a row. */
  parse(data: unknown): Static<D>
  /** Whether its data holds a secret, and is kept encrypted. */
  secret?: boolean
  /** How long it is worth trying; two days unless it says otherwise. */
  lifeMs?: number
  /** For a letter that tells of several things at once: how long the first of them waits for more, and how often it comes at most. */
  gathers?: { waitMs: number; everyMs: number }
  /** Writes it as things are now; null when it is not true or not theirs to know any more, and nothing is sent. */
  write(desk: Desk, data: Static<D>): Promise<Written | null>
}

export function letter<D extends TObject>(definition: Omit<Letter<D>, 'parse'>): Letter<D> {
  if (!/^[a-z][a-z-]*$/.test(definition.name))
    throw new Error(`A letter is called ${definition.name}: use lower case and hyphens`)
  return { ...definition, parse: parser(definition.data) }
}
