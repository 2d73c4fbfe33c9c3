import { type Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

export const stats = (words: Words, counted: readonly (readonly [label: string, number: number])[]): Html =>
  html`<dl class="stats">${counted.map(
    ([label, number]) =>
      html`<div><dt>${label}</dt><dd>${number.toLocaleString(LOCALES[words.language])}</dd></div>`,
  )}</dl>`
