import { de } from './de/words'
import { en, type Words } from './en/words'
import type { Language } from './language'

export type { Words } from './en/words'

const WORDS: Record<Language, Words> = { en, de }

export const wordsIn = (language: Language): Words => WORDS[language]
