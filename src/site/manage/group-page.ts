import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { readManagedGroup } from '@/modules/community/groups/manage/actions'
import type { ManagedGroupSettings } from '@/modules/community/groups/manage/schema'
import { tabs } from '@/site/parts/list'
import { ask, queryIn } from '@/web/ask'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import type { Words } from '@/words/words'

export const MANAGE = '/manage'
export const groupPath = (groupId: string) => `${MANAGE}/groups/${groupId}`
export const eventPath = (groupId: string, eventId: string) => `${groupPath(groupId)}/events/${eventId}`
export const badgePath = (groupId: string, badgeId: string) => `${groupPath(groupId)}/badges/${badgeId}`

/** Where a form redirects after changing the object in the address. */
export const groupAt =
  (rest = '') =>
  ({ groupId }: Record<string, unknown>) =>
    groupPath(String(groupId)) + rest
export const eventAt =
  (rest = '') =>
  ({ groupId, eventId }: Record<string, unknown>) =>
    eventPath(String(groupId), String(eventId)) + rest
export const badgeAt =
  (rest = '') =>
  ({ groupId, badgeId }: Record<string, unknown>) =>
    badgePath(String(groupId), String(badgeId)) + rest

/** The context of every staff page of a group. */
export type GroupContext = {
  visit: Visit
  params: Params
  caller: Caller
  words: Words
  query: URLSearchParams
  group: ManagedGroupSettings
  /** Whether they may do more than check-in. */
  isManager: boolean
}

export async function groupContext(visit: Visit, params: Params): Promise<GroupContext> {
  const caller = signedIn(visit)
  const group = await ask(visit, readManagedGroup, params)
  return {
    visit,
    params,
    caller,
    words: wordsFor(visit),
    query: queryIn(visit),
    group,
    isManager: group.permissions.manageEvents,
  }
}

type Tab = '' | '/staff' | '/badges' | '/settings'

/** A page of a group, with its name and tabs. */
export function groupPage({ group, words }: GroupContext, tab: Tab, title: string, body: Html): Page {
  const { manage } = words
  const path = groupPath(group.id)
  const tabList = [
    { href: path, label: manage.events },
    { href: `${path}/staff`, label: manage.staff },
    { href: `${path}/badges`, label: manage.badges },
    { href: `${path}/settings`, label: manage.settings },
  ]
  return {
    title: `${title} · ${group.name}`,
    width: 'wide',
    theme: group.themeColor ?? undefined,
    body: html`<p class="above"><a href="${MANAGE}">${manage.title}</a></p>
<h1 dir="auto">${group.name}</h1>
${tabs(manage.pagesOf(group.name), tabList, path + tab)}${body}`,
  }
}
