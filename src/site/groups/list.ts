import { invoke } from '@/http/invoke'
import { listGroups } from '@/modules/community/groups/actions'
import { groupTile } from '@/site/parts/group-tile'
import { emptyState, PAGER_QUERY, pageAsked, pager, pagerLinks, searchForm } from '@/site/parts/list'
import { html } from '@/web/html'
import type { LoadOpen } from '@/web/open-page'
import type { Words } from '@/words/words'

export const GROUPS_QUERY = ['search', 'tag', 'featured', 'sort', ...PAGER_QUERY] as const

const PER_PAGE = 24
const SORTS = ['members', 'name', 'created'] as const

export const showGroups: LoadOpen = async (entry, { query, words }) => {
  const { groups } = words
  const asked = Object.fromEntries(
    ['search', 'tag', 'sort'].map((name) => [name, query.get(name) ?? undefined]),
  )
  const { data, pagination } = await invoke(entry, listGroups, () => ({
    ...asked,
    ...(query.get('featured') === 'true' && { featured: true }),
    ...pageAsked(query),
    limit: PER_PAGE,
  }))
  const tags = [...new Set([...(asked.tag ? [asked.tag] : []), ...data.flatMap((group) => group.tags)])]
  return {
    title: groups.title,
    width: 'wide',
    section: 'groups',
    canonical: query.size === 0 ? '/groups' : undefined,
    description: groups.lead,
    head: pagerLinks(pagination, query),
    about: [...data.map(({ id }) => id), 'group.created', 'group.updated', 'group.deleted'],
    body: html`<div class="head"><div><h1>${groups.title}</h1>
<p class="lead">${groups.lead}</p></div></div>
${searchForm({ label: groups.search, button: words.frame.searchFor, value: asked.search ?? '', keep: kept(query, ['tag', 'sort', 'featured']) })}${filters(query, tags.slice(0, TAGS_MAX), words)}
${
  data.length === 0
    ? query.size > 0
      ? emptyState({
          title: groups.noneFound,
          text: groups.noneFoundText,
          to: { href: '/groups', label: groups.showAll },
        })
      : emptyState({
          title: groups.none,
          text: groups.noneText,
          to: { href: '/manage', label: groups.start },
        })
    : html`<h2 class="hidden">${groups.title}</h2><ul class="tiles slim" role="list">
${data.map((group) => groupTile(group, words))}</ul>`
}
${pager(pagination, query, words)}`,
  }
}

const TAGS_MAX = 12

const kept = (query: URLSearchParams, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']))

/** The list with one filter changed, from its first page. */
function withFilter(query: URLSearchParams, name: string, value: string | null): string {
  const other = new URLSearchParams(query)
  for (const one of [name, ...PAGER_QUERY]) other.delete(one)
  if (value !== null) other.set(name, value)
  return other.size === 0 ? '/groups' : `/groups?${other}`
}

function filters(query: URLSearchParams, tags: string[], words: Words) {
  const { groups } = words
  const chosen = query.get('tag')
  const sort = query.get('sort') ?? SORTS[0]
  const isFeatured = query.get('featured') === 'true'
  const chip = (href: string, label: string, isChosen: boolean) =>
    html`<li><a class="chip" href="${href}"${isChosen && html` aria-current="true"`} dir="auto">${label}</a></li>`
  return html`<nav aria-label="${groups.tags}"><ul class="chips" role="list">${chip(
    withFilter(query, 'tag', null),
    groups.allTags,
    chosen === null,
  )}${chip(withFilter(query, 'featured', isFeatured ? null : 'true'), `★ ${groups.featured}`, isFeatured)}${tags.map((tag) => chip(withFilter(query, 'tag', tag), tag, tag === chosen))}</ul></nav>
<nav aria-label="${groups.sort}"><ul class="tabs" role="list">${SORTS.map(
    (one) =>
      html`<li><a href="${withFilter(query, 'sort', one === SORTS[0] ? null : one)}"${one === sort && html` aria-current="page"`}>${groups.sorts[one]}</a></li>`,
  )}</ul></nav>`
}
