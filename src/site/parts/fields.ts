import { area, line, tick } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { membersMarkdown } from '@/web/markdown'
import type { Words } from '@/words/words'

/** Time zones for a field with `list="zones"`. */
export const ZONES = html`<datalist id="zones">${Intl.supportedValuesOf('timeZone').map(
  (zone) => html`<option value="${zone}"></option>`,
)}</datalist>`

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

/** A name as a slug, like the script `suggest` does while typing. */
const slugOf = (name: unknown): string | undefined =>
  String(name ?? '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || undefined

/** Derives an empty slug from the name. */
export const slugInto = (field: string) => (input: Record<string, unknown>) => {
  input[field] ??= slugOf(input.name)
}

type Badge = {
  name: string
  slug: string
  description: string | null
  icon: string
  color: string
  points: number
  sortOrder: number
  hidden?: boolean
}

/** Labels of a badge's form; the slug is in addresses and cannot change. */
export const badgeLabels = ({ manage: { fields } }: Words) => ({
  name: fields.name,
  icon: fields.icon,
  description: fields.description,
  color: fields.color,
  points: fields.points,
  sortOrder: fields.sortOrder,
})

export const newBadgeLabels = (words: Words) => ({ ...badgeLabels(words), slug: words.manage.fields.slug })

type Options = { badge?: Badge; sent?: Sent; pointsMax?: number; mayHide?: boolean }

export function badgeFields(
  words: Words,
  { badge, sent, pointsMax = 50, mayHide = false }: Options = {},
): Html {
  const { fields, hints } = words.manage
  return html`${line({ name: 'name', label: fields.name, value: badge?.name, attributes: html` required maxlength="100" dir="auto"` }, sent)}
${badge === undefined && line({ name: 'slug', label: fields.slug, hint: `${hints.slug} ${hints.fromName}`, attributes: html` maxlength="100" data-after="name" pattern="[a-z0-9\\-]+" autocapitalize="none" spellcheck="false"` }, sent)}
${line({ name: 'icon', label: fields.icon, hint: hints.icon, value: badge?.icon ?? '🏅', attributes: html` required maxlength="32"` }, sent)}
${area({ name: 'description', label: fields.description, value: badge?.description, rows: 3, attributes: html` maxlength="500"` }, sent)}
<div class="pair"><div>${line({ name: 'points', label: fields.points, type: 'number', value: badge?.points ?? 10, attributes: html` min="0" max="${pointsMax}"` }, sent)}</div>
<div>${line({ name: 'color', label: fields.color, type: 'color', value: badge?.color.toLowerCase() ?? '#1f6f54' }, sent)}</div></div>
${line({ name: 'sortOrder', label: fields.sortOrder, type: 'number', value: badge?.sortOrder ?? 0, attributes: html` min="0"` }, sent)}
${mayHide && tick({ name: 'hidden', label: fields.hidden, checked: badge?.hidden ?? false }, sent)}`
}
