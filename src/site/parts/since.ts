import type { Html } from '@/web/html'
import { day } from '@/web/time'
import type { Words } from '@/words/words'

/** The day since which something is so. Nobody asks for its hour. */
export const sinceWhen = (at: string, words: Words): Html => day(new Date(at), words)
