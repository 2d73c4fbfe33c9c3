import { LINE_ENDS } from '@/core/fields'
import type { Part, Written } from './letter'

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
