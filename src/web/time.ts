import { iso } from '@/core/shapes'
import { type Language, LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { type Html, html } from './html'

const formats = new Map<Language, Intl.DateTimeFormat>()

/** Made for the first who reads a page in that language: the first format of a process takes it 10 ms. */
function formatOf(language: Language): Intl.DateTimeFormat {
  const known = formats.get(language)
  if (known) return known
  const format = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(language, format)
  return format
}

/** A day in words, for people and for programs. */
export const day = (date: Date, { language }: Words): Html =>
  html`<time datetime="${iso(date)}">${formatOf(language).format(date)}</time>`
