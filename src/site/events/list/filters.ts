import { choice, line } from '@/web/fields'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { isFiltered, listPath } from './asked'

type Group = { name: string; urlname: string | null }

/** The filters as a GET form. */
export function filterForm(query: URLSearchParams, groups: readonly Group[], words: Words): Html {
  const { list } = words.events
  const value = (name: string) => query.get(name)
  const group = value('group')
  const known = groups.map(({ name, urlname }) => ({ value: urlname ?? '', label: name }))
  // Keeps several groups, or one beyond the first hundred.
  const other =
    group !== null && !known.some((one) => one.value === group) ? [{ value: group, label: group }] : []
  return html`<form class="filters" method="get" action="/events" role="search" aria-label="${list.search}">
${['status', 'month', 'tag'].map(
  (name) => query.has(name) && html`<input type="hidden" name="${name}" value="${value(name)}">`,
)}
<div class="find"><label class="hidden" for="search">${list.search}</label><input id="search" name="search" type="search" maxlength="100" placeholder="${list.searchHint}" value="${value('search')}"><button class="button">${words.frame.searchFor}</button></div>
<details><summary>${list.filters}</summary>
<div class="fields">
<div>${choice({ name: 'group', label: list.group, value: group, options: [{ value: '', label: list.anyGroup }, ...other, ...known] })}</div>
<div>${choice({
    name: 'type',
    label: list.format,
    value: value('type'),
    options: [
      { value: '', label: list.anyFormat },
      { value: 'physical', label: list.physical },
      { value: 'online', label: list.onlineOnly },
      { value: 'hybrid', label: list.hybrid },
    ],
  })}</div>
<div>${line({ name: 'city', label: list.city, value: value('city'), attributes: html` maxlength="100"` })}</div>
${
  !query.has('month') &&
  html`<div>${line({ name: 'from', label: list.from, type: 'date', value: value('from') })}</div>
<div>${line({ name: 'to', label: list.to, type: 'date', value: value('to') })}</div>`
}
</div>
<p class="buttons"><button class="button plain small">${list.apply}</button></p>
</details>
</form>`
}

/** The active filters, each with a link to remove it. */
export function filterChips(query: URLSearchParams, groups: readonly Group[], words: Words): Html | null {
  if (!isFiltered(query)) return null
  const { list } = words.events
  const said = (name: string, text: (value: string) => string) => {
    const value = query.get(name)
    return value === null ? [] : [{ name, text: text(value) }]
  }
  const types: Record<string, string> = {
    physical: list.physical,
    online: list.onlineOnly,
    hybrid: list.hybrid,
  }
  const set = [
    ...said('search', (text) => `“${text}”`),
    ...said('group', (urlname) => groups.find((one) => one.urlname === urlname)?.name ?? urlname),
    ...said('type', (type) => types[type] ?? type),
    ...said('city', list.inCity),
    ...said('tag', (tag) => tag),
    ...said('from', list.onOrAfter),
    ...said('to', list.onOrBefore),
    ...said('featured', () => list.featured),
  ]
  return html`<ul class="chips" role="list">${set.map(
    ({ name, text }) =>
      html`<li><a class="chip" href="${listPath(query, { [name]: null })}" aria-label="${list.without(text)}"><bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>`,
  )}<li><a class="chip" href="${listPath(kept(query), {})}">${list.clear}</a></li></ul>`
}

/** Parameters that stay when filters are cleared. */
function kept(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams()
  for (const name of ['status', 'month']) if (query.has(name)) rest.set(name, query.get(name) as string)
  return rest
}
