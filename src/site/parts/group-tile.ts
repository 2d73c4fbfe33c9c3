import type { GroupListItem } from '@/modules/community/groups/schema'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { type Html, html } from '@/web/html'
import { excerpt } from '@/web/prose'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

/** Members here and on the platform that the group is synced from. */
export function membersIn(
  { memberCount, favoritesCount }: GroupListItem,
  { groups, language }: Words,
): string {
  const count = memberCount ?? favoritesCount
  return groups.members(count, count.toLocaleString(LOCALES[language]))
}

const TAGS = 3

export const groupTile = (group: GroupListItem, words: Words): Html =>
  html`<li><article class="tile">${coverOf(group.id, group.photoUrl, '(min-width: 40em) 20rem, 100vw')}
<div class="about"><div><h3 dir="auto"><a href="/groups/${group.urlname}">${group.name}</a></h3>
<p class="quiet small" dir="auto">${excerpt(group.description, 120)}</p>
<p class="small facts"><strong>${membersIn(group, words)}</strong>${group.tags
    .slice(0, TAGS)
    .map((tag) => html` <span class="mark quiet" dir="auto">${tag}</span>`)}</p></div>
</div></article></li>
`
