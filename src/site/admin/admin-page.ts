import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { done, tabs } from '@/site/parts/list'
import { queryIn } from '@/web/ask'
import { summary } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { signedIn } from '@/web/page'
import type { Words } from '@/words/words'

export const ADMIN = '/admin'

const TABS = [
  '',
  'users',
  'groups',
  'claims',
  'badges',
  'achievements',
  'tags',
  'designs',
  'audit',
  'jobs',
] as const
export type Tab = (typeof TABS)[number]

export const pathOf = (tab: Tab): string => (tab === '' ? ADMIN : `${ADMIN}/${tab}`)

/** The context of every admin page. Actions check the role. */
export type AdminContext = { visit: Visit; caller: Caller; words: Words; query: URLSearchParams; sent?: Sent }

export const adminContext = (visit: Visit, sent?: Sent): AdminContext => ({
  visit,
  caller: signedIn(visit),
  words: wordsFor(visit),
  query: queryIn(visit),
  sent,
})

export function adminPage({ words: { admin }, query, sent }: AdminContext, current: Tab, body: Html): Page {
  const title = admin.rooms[current]
  return {
    title: `${title} · ${admin.title}`,
    width: 'wide',
    body: html`<p class="above">${admin.title}</p>
<h1>${title}</h1>
${tabs(
  admin.title,
  TABS.map((one) => ({ href: pathOf(one), label: admin.rooms[one] })),
  pathOf(current),
)}${done(query, admin.done)}${summary(sent)}${body}`,
  }
}
