import { clipped } from '@/core/text'
import type { Words } from '@/words/words'
import type { Part } from '../letter'

const NAMED_MAX = 10
const NAME_MAX = 80

type Entry = { text: string; about?: string; url?: string }

/** Shortens a name that a subject quotes. */
export const named = (name: string): string => clipped(name, NAME_MAX)

/** Lists the first entries and the number of further ones. */
export const listed = (entries: readonly Entry[], { newsMails }: Words): Part[] => [
  { list: entries.slice(0, NAMED_MAX) },
  ...(entries.length > NAMED_MAX ? [{ quiet: newsMails.more(entries.length - NAMED_MAX) }] : []),
]

/** Lists the entries of a warning, and the number of those that no longer exist: deleting one must not hide it. */
export const listedWithEnded = (
  entries: readonly Entry[],
  { ended, say }: { ended: number; say: (count: number) => string },
  words: Words,
): Part[] => [
  ...(entries.length > 0 ? listed(entries, words) : []),
  ...(ended > 0 ? [{ list: [{ text: say(ended) }] }] : []),
]
