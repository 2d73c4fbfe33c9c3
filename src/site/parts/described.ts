import { area } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { membersMarkdown } from '@/web/markdown'
import type { Words } from '@/words/words'

type Described = { value: string | null | undefined; rows: number; max: number }

/** A Markdown description with a preview button; the form needs a deed `preview`. */
export function description({ value, rows, max }: Described, words: Words, sent?: Sent): Html {
  const { manage } = words
  const typed = sent?.isPreview ? (sent.values.get('description') ?? '').trim() : ''
  return html`${area({ name: 'description', label: manage.fields.description, hint: manage.hints.description, value, rows, attributes: html` maxlength="${max}"` }, sent)}
<p class="after"><button class="button plain small" formaction="?do=preview#preview" formnovalidate>${manage.preview}</button></p>
${
  sent?.isPreview &&
  html`<section class="card prose" id="preview" tabindex="-1" autofocus aria-label="${manage.previewTitle}"><p class="above">${manage.previewTitle}</p>
<div dir="auto">${typed === '' ? html`<p class="quiet">${manage.previewEmpty}</p>` : membersMarkdown(typed)}</div></section>`
}`
}
