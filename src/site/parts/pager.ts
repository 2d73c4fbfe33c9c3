import type { Pagination } from '@/core/page'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

/** Query parameters of the pager: add them to `query` of `openPage`. */
export const PAGER_QUERY = ['cursor', 'before'] as const

/** The page fields of an action's input. */
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

/** The same for the head. */
export const pagerLinks = ({ nextCursor, prevCursor }: Pagination, query: URLSearchParams): Html[] => [
  ...(prevCursor ? [html`<link rel="prev" href="${pageAt(query, 'before', prevCursor)}">\n`] : []),
  ...(nextCursor ? [html`<link rel="next" href="${pageAt(query, 'cursor', nextCursor)}">\n`] : []),
]
