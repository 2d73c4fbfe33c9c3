import type { Visit } from '@/http/visit'
import { listManagedEvents } from '@/modules/gatherings/organizing/actions'
import { chips, done, emptyState, list, pageAsked } from '@/site/parts/list'
import { ask } from '@/web/ask'
import { html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { groupContext, groupPage, groupPath } from './group-page'
import { managedRow } from './overview'

/** Upcoming or past events of a group. */
export async function showGroup(visit: Visit, params: Params): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, query, group, isManager } = context
  const { manage } = words
  const isPast = query.get('when') === 'past'
  const when = isPast ? 'past' : 'upcoming'
  const page = await ask(visit, listManagedEvents, params, { when, ...pageAsked(query) })
  const create = { href: `${groupPath(group.id)}/events/new`, label: manage.newEvent }
  return groupPage(
    context,
    '',
    manage.events,
    html`${done(query, manage.done)}<div class="head">${chips(manage.events, 'when', isPast ? 'past' : '', [
      { value: '', label: manage.upcoming },
      { value: 'past', label: manage.past },
    ])}
${isManager && html`<a class="button" href="${create.href}">${create.label}</a>`}</div>
<h2 class="hidden">${isPast ? manage.past : manage.upcoming}</h2>
${list({
  page,
  query,
  words,
  row: (event) => managedRow(event, words),
  empty: isPast
    ? emptyState({ title: manage.nothingPast })
    : emptyState({
        title: manage.nothingPlanned,
        text: manage.nothingPlannedText,
        to: isManager ? create : undefined,
      }),
})}
<p class="after"><a href="/groups/${group.urlname}">${manage.publicPage}</a></p>`,
  )
}
