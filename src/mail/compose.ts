import { config } from '@/config/config'
import { LINE_ENDS } from '@/core/fields'
import type { MailKind } from '@/core/mail-kinds'
import { db } from '@/db/client'
import type { Mail } from '@/outbound/mail/mail'
import { isLanguage, LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'
import { itemsOf } from './gathered/gather'
import { plainForm, prettyForm } from './layout'
import { type Letter, type Part, type Reader, URGENCY, type Written } from './letter'
import { seal } from './post'
import type { MailRow } from './queries'
import { findReader, isWanted } from './recipient-queries'
import { isRefusing } from './refusing-mailboxes'
import { unsubscribeUrl } from './unsubscribe'

/** Bidirectional control characters. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Makes every text a single line without bidi controls: a name in our sentences must neither start a line of its own nor reverse
 * the text after it.
 */
export const tidy = ({ subject, title, parts, reason, ...rest }: Written): Written => ({
  ...rest,
  subject: line(subject).replace(/\s+/g, ' ').trim(),
  ...(title !== undefined && { title: line(title) }),
  parts: parts.map(tidyPart),
  ...(reason !== undefined && { reason: line(reason) }),
})

function tidyPart(part: Part): Part {
  if ('say' in part) return { say: line(part.say) }
  if ('quiet' in part) return { quiet: line(part.quiet) }
  if ('button' in part) return { ...part, button: line(part.button) }
  if ('code' in part) return part
  if ('facts' in part) return { facts: part.facts.map(([name, value]) => [line(name), line(value)]) }
  return {
    list: part.list.map(({ text, about, ...rest }) => ({
      ...rest,
      text: line(text),
      ...(about !== undefined && { about: line(about) }),
    })),
  }
}

const line = (text: string) => text.replace(LINE_ENDS, ' ').replace(TURNS, '')

/** A mail to send, or the reason why none is sent. */
export type Composed = Mail | 'unwanted' | 'untrue' | 'refused'

/** Renders a letter from the current state. */
export async function compose(letter: Letter, row: MailRow): Promise<Composed> {
  const found = row.userId === null ? undefined : await findReader(db, row.userId)
  const to = row.address ?? found?.email
  if (to == null || (row.userId !== null && (found === undefined || found.suspendedAt !== null)))
    return 'untrue'
  if (found && letter.kind !== null && !(await isWanted(db, found.userId, letter.kind))) return 'unwanted'
  if (row.urgency !== URGENCY.awaited && (await isRefusing(to))) return 'refused'
  const data = dataOf(letter, row)
  const language = [found?.language, data.language].find((one) => isLanguage(one as string)) ?? LANGUAGES[0]
  const words = wordsIn(language as Reader['language'])
  const reader = found ? { ...found, email: to, language: words.language } : null
  const items = letter.gathers ? await itemsOf(row) : []
  const context = { reader, words, language: words.language, items }
  const drafted = await letter.write(context, letter.parse(data))
  if (drafted === null) return 'untrue'
  const written = tidy(drafted)
  const stop = reader && letter.kind ? unsubscribeUrl({ userId: reader.userId, kind: letter.kind }) : null
  const foot = { reason: written.reason ?? reasonOf(letter.kind, words), unsubscribeUrl: stop }
  return {
    id: row.id,
    to,
    subject: written.subject.slice(0, SUBJECT_MAX),
    text: plainForm(written, foot, words),
    html: prettyForm(written, foot, words),
    ...(written.calendar && { calendar: written.calendar }),
    headers: {
      'Content-Language': words.language,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(stop && { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      ...(letter.kind && {
        'List-Id': `${config.siteName.replace(/[^\w .-]/g, '')} <${letter.name}.${new URL(config.baseUrl).hostname}>`,
      }),
    },
  }
}

const SUBJECT_MAX = 200

function dataOf(letter: Letter, row: MailRow): Record<string, unknown> {
  if (!letter.secret) return row.data
  return JSON.parse(Buffer.from(seal.open(row.sealed as Uint8Array, row.id)).toString())
}

const reasonOf = (kind: MailKind | null, { mail }: ReturnType<typeof wordsIn>) =>
  kind === null ? mail.always : mail.reasons[kind]
