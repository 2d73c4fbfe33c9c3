import { LINE_ENDS } from '@/core/fields'
import type { Part, Written } from './letter'

/** What turns the direction of the text behind it, or has no other use than that. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A letter in which every text is one line, read in the order in which it is written. Names stand in our sentences: none
 * may begin a line that passes for one of ours, nor turn around what follows it.
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
