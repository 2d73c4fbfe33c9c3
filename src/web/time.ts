import { iso } from '@/core/shapes'
import { type Language, LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { type Html, html } from './html'

const formats = new Map<Language, Intl.DateTimeFormat>()

/** Lazy: the first format of a process takes 10 ms. */
function formatOf(language: Language): Intl.DateTimeFormat {
  const known = formats.get(language)
  if (known) return known
  const format = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(language, format)
  return format
}

/** A `<time>` element with the day in words. */
export const day = (date: Date, { language }: Words): Html =>
  html`<time datetime="${iso(date)}">${formatOf(language).format(date)}</time>`
