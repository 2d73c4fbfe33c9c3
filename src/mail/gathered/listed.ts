import { clipped } from '@/core/clipped'
import type { Words } from '@/words/words'
import type { Part } from '../letter'

const NAMED_MAX = 10
const NAME_MAX = 80

type Entry = { text: string; about?: string; url?: string }

/** A name in a subject: quoted there, and short. */
export const named = (name: string): string => clipped(name, NAME_MAX)

/** The first of several things, and how many more there are. */
export const listed = (entries: readonly Entry[], { newsMails }: Words): Part[] => [
  { list: entries.slice(0, NAMED_MAX) },
  ...(entries.length > NAMED_MAX ? [{ quiet: newsMails.more(entries.length - NAMED_MAX) }] : []),
]

/** Things that a warning names, and how many of those that it tells of have ended since: ending one takes nothing from it. */
export const listedWithEnded = (
  entries: readonly Entry[],
  { ended, say }: { ended: number; say: (count: number) => string },
  words: Words,
): Part[] => [
  ...(entries.length > 0 ? listed(entries, words) : []),
  ...(ended > 0 ? [{ list: [{ text: say(ended) }] }] : []),
]
