import type { Static } from '@sinclair/typebox'
import type { Visit } from '@/http/visit'
import { listManagedGroups } from '@/modules/community/groups/manage/actions'
import type { ManagedGroup } from '@/modules/community/groups/manage/schema'
import { listManagedEvents } from '@/modules/gatherings/organizing/actions'
import type { ManagedListItem } from '@/modules/gatherings/organizing/schema'
import { leaf, stateMark } from '@/site/parts/event'
import { done, emptyState, list, pageAsked } from '@/site/parts/list'
import { ask, queryIn } from '@/web/ask'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { signedIn } from '@/web/page'
import { moment, timesOf } from '@/web/when'
import type { Words } from '@/words/words'
import { eventPath, groupPath, MANAGE } from './group-page'

type Item = Static<typeof ManagedListItem>

/** A row for staff, with RSVPs and check-ins. */
export function managedRow(event: Item, words: Words, hasGroup = false): Html {
  const times = timesOf(event)
  return html`<li>${leaf(times, words)}
<div class="what"><h3 dir="auto"><a href="${pathTo(event)}">${event.title}</a></h3>
<p>${moment(times.startTime, times.timezone, words)} ${stateMark(event, words)}</p>
${hasGroup && event.group && html`<p class="quiet small"><bdi>${event.group.name}</bdi></p>`}</div>
<div class="end number"><strong>${seats(event)}</strong><br><span class="quiet small">${
    event.checkinCount > 0 ? words.manage.came(event.checkinCount) : words.manage.coming
  }</span></div></li>
`
}

const pathTo = ({ id, group }: Item): string => eventPath(group?.id ?? '', id)

const seats = ({ localRsvpCount, maxAttendees }: Item): string =>
  maxAttendees === null ? String(localRsvpCount) : `${localRsvpCount} / ${maxAttendees}`

/** Events of further groups are on their own pages. */
const GROUPS_AT_A_GLANCE = 12
const NEXT_OF_EACH = 3
const NEXT_IN_ALL = 6

/** Tonight's event first, with its count and a link to check-in. */
export async function showOverview(visit: Visit): Promise<Page> {
  signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { manage } = words
  const groups = await ask(visit, listManagedGroups, {}, { limit: 50, ...pageAsked(query) })
  const [next, ...later] = await nextEvents(visit, groups.data)
  return {
    title: manage.title,
    width: 'wide',
    body: html`<div class="head"><h1>${manage.title}</h1>
${groups.data.length > 0 && html`<a class="button plain" href="${MANAGE}/groups/new">${manage.newGroup}</a>`}</div>
${done(query, manage.done)}${next && nextEvent(next, words)}
${later.length > 0 && html`<h2>${manage.thenComing}</h2>\n<ul class="rows" role="list">\n${later.map((event) => managedRow(event, words, true))}</ul>`}
${groups.data.length > 0 && html`<h2>${manage.yourGroups}</h2>`}
${list({
  page: groups,
  query,
  words,
  row: (group) => groupRow(group, words),
  empty: emptyState({
    title: manage.noGroups,
    text: manage.noGroupsText,
    to: { href: `${MANAGE}/groups/new`, label: manage.newGroup },
  }),
})}`,
  }
}

async function nextEvents(visit: Visit, groups: ManagedGroup[]): Promise<Item[]> {
  const lists = await Promise.all(
    groups
      .slice(0, GROUPS_AT_A_GLANCE)
      .map(({ id: groupId }) =>
        ask(
          visit,
          listManagedEvents,
          { groupId },
          { when: 'upcoming', status: 'published', limit: NEXT_OF_EACH },
        ),
      ),
  )
  const events = lists.flatMap(({ data }) => data)
  return events.sort((a, b) => a.dateTime.localeCompare(b.dateTime)).slice(0, NEXT_IN_ALL)
}

function nextEvent(event: Item, words: Words): Html {
  const { manage } = words
  const times = timesOf(event)
  return html`<section class="card">
<div class="app">${leaf(times, words)}<div><p class="above">${manage.next}</p>
<h2 class="first" dir="auto"><a href="${pathTo(event)}">${event.title}</a></h2>
<p>${moment(times.startTime, times.timezone, words)} ${stateMark(event, words)}<br><bdi class="quiet">${event.group?.name}</bdi></p></div></div>
<dl class="stats"><div><dt>${manage.confirmed}</dt><dd>${seats(event)}</dd></div><div><dt>${manage.checkedIn}</dt><dd>${event.checkinCount}</dd></div></dl>
<div class="buttons"><a class="button" href="${pathTo(event)}">${manage.toDoor}</a></div>
</section>`
}

const groupRow = ({ id, name, userRole, memberCount }: ManagedGroup, { manage }: Words): Html =>
  html`<li><div class="what"><h3 dir="auto"><a href="${groupPath(id)}">${name}</a></h3>
<p class="quiet small">${manage.roles[userRole]}</p></div>
<div class="end number quiet small">${manage.members(memberCount ?? 0)}</div></li>
`
