import { listGroupMembers, readGroup } from '@/modules/community/groups/actions'
import { emptyState } from '@/site/parts/empty'
import { idsOf, knownPeople } from '@/site/parts/known-people'
import { pageAsked, pager, pagerLinks } from '@/site/parts/pager'
import { personRow } from '@/site/parts/person-row'
import { ask } from '@/web/ask'
import { html } from '@/web/html'
import type { LoadOpen } from '@/web/open-page'
import { PEOPLE_SHOWN } from '@/web/topics'

/** Everyone who joined a group and may be seen. */
export const showMembers: LoadOpen = async (entry, { params, query, words }) => {
  const { groups } = words
  const group = await ask(entry, readGroup, params)
  const { data, pagination } = await ask(entry, listGroupMembers, params, { ...pageAsked(query), limit: 40 })
  const people = await knownPeople(data)
  return {
    title: groups.membersOf(group.name),
    width: 'wide',
    section: 'groups',
    theme: group.themeColor ?? undefined,
    canonical: query.size === 0 ? `/groups/${group.urlname}/members` : undefined,
    head: pagerLinks(pagination, query),
    about: [group.id, PEOPLE_SHOWN, ...idsOf(people)],
    body: html`<p><a href="/groups/${group.urlname}">← <span dir="auto">${group.name}</span></a></p>
<h1 dir="auto">${groups.membersOf(group.name)}</h1>
${
  people.length === 0
    ? emptyState({ title: groups.noMembers })
    : html`<ul class="rows grid" role="list">
${people.map((person) => personRow(person, { label: groups.since, at: person.favoritedAt }, words))}</ul>`
}
${pager(pagination, query, words)}`,
  }
}
