import type { Page } from '@/core/page'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { pager } from './pager'

type List<Item> = {
  page: Pick<Page<Item>, 'data'> & Partial<Pick<Page<Item>, 'pagination'>>
  query: URLSearchParams
  words: Words
  row: (item: Item) => Html
  /** The empty state. */
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
