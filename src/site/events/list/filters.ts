import { choice, line } from '@/web/fields'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { isFiltered, listPath } from './asked'

type Group = { name: string; urlname: string | null }

/** The questions of the list as a form whose answers are its address. */
export function filterForm(query: URLSearchParams, groups: readonly Group[], words: Words): Html {
  const { list } = words.events
  const value = (name: string) => query.get(name)
  const group = value('group')
  const known = groups.map(({ name, urlname }) => ({ value: urlname ?? '', label: name }))
  // Several groups, or one that is beyond the first hundred, stay as they were asked for.
  const other =
    group !== null && !known.some((one) => one.value === group) ? [{ value: group, label: group }] : []
  return html`<form class="filters" method="get" action="/events" role="search" aria-label="${list.search}">
${['status', 'month', 'tag'].map(
  (name) => query.has(name) && html`<input type="hidden" name="${name}" value="${value(name)}">`,
)}
<div class="find"><label class="hidden" for="search">${list.search}</label><input id="search" name="search" type="search" maxlength="100" placeholder="${list.searchHint}" value="${value('search')}"><button class="button">${words.frame.searchFor}</button></div>
<details${isFiltered(query) && html` open`}><summary>${list.filters}</summary>
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
<p class="buttons"><button class="button plain small">${list.apply}</button>${
    isFiltered(query) &&
    html`<a class="button plain small" href="${listPath(kept(query), {})}">${list.clear}</a>`
  }</p>
</details>
</form>`
}

/** What is no filter stays when they are cleared. */
function kept(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams()
  for (const name of ['status', 'month']) if (query.has(name)) rest.set(name, query.get(name) as string)
  return rest
}
