import type { Static } from '@sinclair/typebox'
import type { Visit } from '@/http/visit'
import { readManagedEvent } from '@/modules/gatherings/organizing/actions'
import type { ManagedEvent } from '@/modules/gatherings/organizing/schema'
import { stateMark } from '@/site/parts/event'
import { tabs } from '@/site/parts/list'
import { ask } from '@/web/ask'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { moment, timesOf } from '@/web/when'
import { eventPath, type GroupContext, groupContext, groupPath } from './group-page'

export type Managed = Static<typeof ManagedEvent>

/** The context of every page of an event. */
export type EventContext = GroupContext & { event: Managed; path: string; zone: string }

export async function eventContext(visit: Visit, params: Params): Promise<EventContext> {
  const context = await groupContext(visit, params)
  const event = await ask(visit, readManagedEvent, params)
  return { ...context, event, path: eventPath(context.group.id, event.id), zone: event.timezone ?? 'UTC' }
}

type Tab = '' | '/codes' | '/sheets' | '/edit'

/** A page of an event, with its title and tabs. */
export function eventPage(
  { group, event, words, path, isManager }: EventContext,
  tab: Tab,
  body: Html,
): Page {
  const { manage } = words
  const times = timesOf(event)
  const tabList = [
    { href: path, label: manage.door },
    { href: `${path}/codes`, label: manage.codes },
    { href: `${path}/sheets`, label: manage.sheets },
    ...(isManager ? [{ href: `${path}/edit`, label: manage.edit }] : []),
  ]
  return {
    title: event.title,
    width: 'wide',
    theme: group.themeColor ?? undefined,
    body: html`<p class="above"><a href="${groupPath(group.id)}" dir="auto">${group.name}</a></p>
<h1 dir="auto">${event.title}</h1>
<p>${moment(times.startTime, times.timezone, words)} ${stateMark(event, words)} <a href="/events/${event.id}">${manage.publicPage}</a></p>
${tabs(manage.pagesOf(event.title), tabList, path + tab)}${body}`,
  }
}
