import type { Page, Pagination } from '@/core/page'
import { type Html, html } from '@/web/html'
import type { Link } from '@/web/message'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

export const stats = (words: Words, counted: readonly (readonly [label: string, number: number])[]): Html =>
  html`<dl class="stats">${counted.map(
    ([label, number]) =>
      html`<div><dt>${label}</dt><dd>${number.toLocaleString(LOCALES[words.language])}</dd></div>`,
  )}</dl>`

const SUN = html`<svg viewBox="0 0 48 48" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"><path d="M4 38h40M12 38a12 12 0 0 1 24 0"/><path d="M24 12v6M8.5 22.5l4 4M39.5 22.5l-4 4"/></svg>`

type Empty = {
  title: string
  text?: string
  to?: Link
  level?: 'h2' | 'h3'
}

export const emptyState = ({ title, text, to, level = 'h2' }: Empty): Html =>
  html`<div class="empty">${SUN}
${level === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${text && html`<p class="quiet">${text}</p>`}
${to && html`<a class="button" href="${to.href}">${to.label}</a>`}</div>`

/** Tabs; `current` is the address of this page. */
export const tabs = (label: string, links: readonly Link[], current: string): Html =>
  html`<nav aria-label="${label}"><ul class="tabs" role="list">${links.map(
    ({ href, label: name }) =>
      html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
`

type SearchForm = {
  label: string
  button: string
  value: string
  keep?: Readonly<Record<string, string>>
  autofocus?: boolean
}

export const searchForm = ({ label, button, value, keep = {}, autofocus = false }: SearchForm): Html =>
  html`<form class="find" role="search">${Object.entries(keep).map(
    ([name, kept]) => kept !== '' && html`<input type="hidden" name="${name}" value="${kept}">`,
  )}<label class="hidden" for="search">${label}</label><input type="search" id="search" name="search" value="${value}" placeholder="${label}" maxlength="100" autocomplete="off"${autofocus && html` autofocus`}>
<button class="button plain">${button}</button></form>
`

type Chip = { value: string; label: string }

/** The options of one filter as links. */
export const chips = (label: string, name: string, chosen: string, options: readonly Chip[]): Html =>
  html`<nav aria-label="${label}"><ul class="chips" role="list">${options.map(
    ({ value, label: text }) =>
      html`<li><a class="chip" href="?${value && `${name}=${value}`}"${value === chosen && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></nav>
`

/** Query parameters of the pager: add them to `query` of `openPage`. */
export const PAGER_QUERY = ['cursor', 'before'] as const

/** Reads `cursor` and `before` from the query, for an action's input. */
export function pageAsked(query: URLSearchParams): { cursor?: string; before?: string } {
  const [cursor, before] = PAGER_QUERY.map((name) => query.get(name))
  return { ...(cursor && { cursor }), ...(before && { before }) }
}

function pageAt(query: URLSearchParams, name: (typeof PAGER_QUERY)[number], cursor: string): string {
  const other = new URLSearchParams(query)
  for (const one of PAGER_QUERY) other.delete(one)
  other.set(name, cursor)
  return `?${other}`
}

export function pager(
  { nextCursor, prevCursor }: Pagination,
  query: URLSearchParams,
  words: Words,
): Html | null {
  if (nextCursor === undefined && prevCursor === undefined) return null
  const { previousPage, nextPage, pages } = words.frame
  return html`<nav class="pager" aria-label="${pages}">${
    prevCursor &&
    html`<a class="button plain" rel="prev" href="${pageAt(query, 'before', prevCursor)}">${previousPage}</a>`
  }${
    nextCursor &&
    html`<a class="button plain" rel="next" href="${pageAt(query, 'cursor', nextCursor)}">${nextPage}</a>`
  }</nav>`
}

/** `<link rel=prev|next>` for the page's head. */
export const pagerLinks = ({ nextCursor, prevCursor }: Pagination, query: URLSearchParams): Html[] => [
  ...(prevCursor ? [html`<link rel="prev" href="${pageAt(query, 'before', prevCursor)}">\n`] : []),
  ...(nextCursor ? [html`<link rel="next" href="${pageAt(query, 'cursor', nextCursor)}">\n`] : []),
]

type List<Item> = {
  page: Pick<Page<Item>, 'data'> & Partial<Pick<Page<Item>, 'pagination'>>
  query: URLSearchParams
  words: Words
  row: (item: Item) => Html
  empty: Html
}

/** A list with its pager, or the empty state. */
export const list = <Item>({ page: { data, pagination }, query, words, row, empty }: List<Item>): Html =>
  data.length === 0
    ? html`${empty}${pagination && pager(pagination, query, words)}`
    : html`<ul class="rows" role="list">
${data.map(row)}</ul>
${pagination && pager(pagination, query, words)}`

/** The success message after a form, from the page's known sentences. */
export function done(query: URLSearchParams, said: Readonly<Record<string, string>>): Html | false {
  const what = query.get('done') ?? ''
  return Object.hasOwn(said, what) && html`<p class="notice" role="status">${said[what]}</p>`
}
