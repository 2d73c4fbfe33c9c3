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
  /** Null if never set. */
  timeZone: string | null
}

/** The parts of a letter, rendered as plain text and as HTML. */
export type Part =
  | { say: string }
  | { quiet: string }
  | { button: string; url: string }
  /** Shown large and alone, to type elsewhere. */
  | { code: string }
  | { facts: [name: string, value: string][] }
  | { list: { text: string; about?: string; url?: string }[] }

export type Written = {
  subject: string
  /** The heading of the body, if it differs from the subject. */
  title?: string
  parts: Part[]
  calendar?: Invitation
  /** Why the reader gets it, if `words.mail.reasons` has no text for its kind. */
  reason?: string
}

export type LetterContext = {
  reader: Reader | null
  words: Words
  language: Language
  /** The items of a gathered letter, newest first. */
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
  /** Parses the stored data of a row. */
  parse(data: unknown): Static<D>
  /** Whether its data holds a secret and is stored encrypted. */
  secret?: boolean
  /** How long sending is retried; two days by default. */
  lifeMs?: number
  /** For a letter about several items: how long the first waits for more, and the minimum interval between letters. */
  gathers?: { waitMs: number; everyMs: number }
  /**
   * Renders the current state; null if the letter is outdated or the reader may no longer see its subject. Then nothing is sent.
   */
  write(context: LetterContext, data: Static<D>): Promise<Written | null>
}

export function letter<D extends TObject>(definition: Omit<Letter<D>, 'parse'>): Letter<D> {
  if (!/^[a-z][a-z-]*$/.test(definition.name))
    throw new Error(`A letter is called ${definition.name}: use lower case and hyphens`)
  return { ...definition, parse: parser(definition.data) }
}
