import type { Visit } from '@/http/visit'
import { createGroupBadge, listGroupBadges } from '@/modules/recognition/badges/manage/actions'
import type { ManagedBadge } from '@/modules/recognition/badges/schema'
import { badgeFields, newBadgeLabels, slugInto } from '@/site/parts/fields'
import { done, emptyState, list, pageAsked } from '@/site/parts/list'
import { deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import type { Words } from '@/words/words'
import { badgePath, groupContext, groupPage } from './group-page'

export async function showBadges(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, query, group, isManager, caller } = context
  const { manage } = words
  const page = await ask(visit, listGroupBadges, params, pageAsked(query))
  const shown = groupPage(
    context,
    '/badges',
    manage.badges,
    html`<div class="columns"><div>${done(query, manage.done)}${summary(sent)}
${list({
  page,
  query,
  words,
  row: (badge) => badgeRow(badge, badgePath(group.id, badge.id), words),
  empty: emptyState({ title: manage.noBadges, text: manage.noBadgesText }),
})}</div>
${
  isManager &&
  html`<aside><section class="card"><h2 class="first">${manage.newBadge}</h2>
${deedForm(caller, {
  deed: 'create',
  body: html`${badgeFields(words, { sent })}
<button class="button wide">${manage.newBadge}</button>`,
})}</section></aside>`
}</div>`,
  )
  return { ...shown, islands: ['suggest'] }
}

export const badgeRow = (badge: ManagedBadge, path: string, { manage }: Words, more?: Html): Html =>
  html`<li><span class="emblem" aria-hidden="true">${badge.icon}</span>
<div class="what"><h3 dir="auto"><a href="${path}">${badge.name}</a></h3>
<p class="quiet small" dir="auto">${badge.description}</p></div>
<div class="end number small">${manage.points(badge.points)}<br><span class="quiet">${manage.holders(badge.awardedCount)}</span>${more}</div></li>
`

export const badgesForms = forms({
  create: deed(createGroupBadge, {
    fields: newBadgeLabels,
    prepare: slugInto('slug'),
    page: showBadges,
    done: ({ groupId }, badge) => `${badgePath(String(groupId), badge?.id ?? '')}?done=badge`,
  }),
})
