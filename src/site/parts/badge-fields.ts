import { area, line, tick } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

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
