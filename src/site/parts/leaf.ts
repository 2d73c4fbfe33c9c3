import { type Html, html } from '@/web/html'
import { leafWords, type Times } from '@/web/when'
import type { Words } from '@/words/words'

/** A calendar leaf. Decorative: the text beside it says the same. */
export function leaf({ startTime, timezone }: Times, words: Words): Html {
  const { month, date } = leafWords(startTime, timezone, words)
  return html`<span class="leaf" aria-hidden="true"><span class="month">${month}</span><span class="date">${date}</span></span>`
}
