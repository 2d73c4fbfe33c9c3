import { type Html, html } from '@/web/html'
import { LANGUAGES, type Language, LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

const format = (language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
const FORMATS = Object.fromEntries(LANGUAGES.map((language) => [language, format(language)])) as Record<
  Language,
  Intl.DateTimeFormat
>

/** The day since which something is so. Nobody asks for its hour. */
export const sinceWhen = (at: string, { language }: Words): Html =>
  html`<time datetime="${at}">${FORMATS[language].format(new Date(at))}</time>`
