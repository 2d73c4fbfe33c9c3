import { iso } from '@/core/shapes'
import { LANGUAGES, type Language, LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { type Html, html } from './html'

const DAYS = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }),
  ]),
) as Record<Language, Intl.DateTimeFormat>

/** A day in words, for people and for programs. */
export const day = (date: Date, { language }: Words): Html =>
  html`<time datetime="${iso(date)}">${DAYS[language].format(date)}</time>`
