import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import type { Visit } from '@/http/visit'
import {
  awardGroupBadge,
  deleteGroupBadge,
  listGroupBadges,
  revokeGroupBadge,
  updateGroupBadge,
} from '@/modules/recognition/badges/manage/actions'
import type { ManagedBadge } from '@/modules/recognition/badges/schema'
import { createClaimLink, deleteClaimLink, listClaimLinks } from '@/modules/recognition/claims/manage-actions'
import type { ClaimLink } from '@/modules/recognition/claims/schema'
import { limitsLine, qr } from '@/site/parts/codes'
import { badgeFields, badgeLabels } from '@/site/parts/fields'
import { done, emptyState, list, pageAsked } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { line, moment, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { badgeAt, type GroupContext, groupAt, groupContext, groupPage } from './group-page'

const UTC = 'UTC'

/** One badge: its fields, awards and claim links. */
export async function showBadge(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, query, caller, isManager, group } = context
  const { manage, frame } = words
  const badge = await findBadge(visit, params)
  const links = isManager && (await ask(visit, listClaimLinks, params, pageAsked(query)))
  return groupPage(
    context,
    '/badges',
    badge.name,
    html`<div class="columns"><div><h2 class="first" dir="auto"><span aria-hidden="true">${badge.icon}</span> ${badge.name}</h2>
<p class="quiet">${manage.points(badge.points)} · ${manage.holders(badge.awardedCount)} · <a href="/badges/${badge.slug}">${manage.publicPage}</a></p>
${done(query, manage.done)}${summary(sent)}
${
  links &&
  html`<h3>${manage.claimLinks}</h3><p class="quiet">${manage.claimLinksText}</p>
${list({ page: links, query, words, row: (link) => linkRow(link, context), empty: emptyState({ title: manage.noLinks, level: 'h3' }) })}`
}
${isManager && newLink(context, sent)}</div>
${
  isManager &&
  html`<aside><section class="card"><h3 class="first">${manage.award}</h3>
${person(context, 'award', manage.award, sent)}
<details><summary>${manage.revoke}</summary>${person(context, 'revoke', manage.revoke)}</details></section>
<section class="card"><details><summary>${manage.edit}</summary>
${deedForm(caller, { deed: 'save', body: html`${badgeFields(words, { badge, sent })}<button class="button wide">${frame.save}</button>` })}</details>
${group.userRole === 'owner' && danger(caller, { deed: 'delete', title: manage.deleteBadge, text: manage.deleteBadgeText(badge.awardedCount), label: manage.deleteBadge })}</section></aside>`
}</div>`,
  )
}

/** A group has few, and no action reads a single one. */
async function findBadge(visit: Visit, { badgeId, ...params }: Params): Promise<ManagedBadge> {
  let cursor: string | undefined
  do {
    const { data, pagination } = await ask(visit, listGroupBadges, params, { limit: 100, cursor })
    const found = data.find(({ id }) => id === badgeId?.toLowerCase())
    if (found) return found
    cursor = pagination.nextCursor
  } while (cursor !== undefined)
  throw notFound('Badge')
}

const person = (
  { caller, words: { manage } }: GroupContext,
  name: string,
  label: string,
  sent?: Sent,
): Html =>
  deedForm(caller, {
    deed: name,
    body: html`${line({ name: 'userId', id: `${name}-userId`, label: manage.fields.username, attributes: html` required maxlength="100" autocapitalize="none" autocomplete="off" spellcheck="false"` }, sent)}
<p class="after"><button class="button plain">${label}</button></p>`,
  })

const linkRow = (link: ClaimLink, { caller, words }: GroupContext): Html => {
  const { manage } = words
  const address = `${config.baseUrl}/claim/${link.code}`
  return html`<li><div class="what"><p class="name"><a href="/claim/${link.code}"><bdi>${address}</bdi></a></p>
<p class="quiet small">${limitsLine(link, UTC, words)}</p>
<details><summary>${manage.showLarge}</summary>${qr(address, manage.linkAlt)}</details>
${danger(caller, { deed: 'unlink', fields: { linkId: link.id }, title: manage.delete, text: manage.deleteLinkText, label: manage.delete })}</div></li>
`
}

const newLink = ({ caller, words: { manage } }: GroupContext, sent?: Sent): Html =>
  html`<details class="details"><summary>${manage.newLink}</summary>
${deedForm(caller, {
  deed: 'link',
  fields: { timezone: UTC },
  body: html`${line({ name: 'maxUses', label: manage.fields.maxUses, hint: manage.hints.maxUses, type: 'number', attributes: html` min="1" max="1000000"` }, sent)}
${moment({ name: 'expiresAt', label: manage.fields.expiresAt, hint: UTC, zone: UTC }, sent)}
<p class="after"><button class="button">${manage.newLink}</button></p>`,
})}</details>`

const page = showBadge
const named = { page, fields: ({ manage }: GroupContext['words']) => ({ userId: manage.fields.username }) }

export const badgeForms = forms({
  save: deed(updateGroupBadge, { fields: badgeLabels, page, done: badgeAt('?done=saved') }),
  delete: deed(deleteGroupBadge, { fields: {}, page, done: groupAt('/badges?done=badgeDeleted') }),
  award: deed(awardGroupBadge, { ...named, done: badgeAt('?done=awarded') }),
  revoke: deed(revokeGroupBadge, { ...named, done: badgeAt('?done=revoked') }),
  link: deed(createClaimLink, {
    fields: ({ manage: { fields } }) => ({ maxUses: fields.maxUses, expiresAt: fields.expiresAt }),
    page,
    done: badgeAt('?done=linked'),
  }),
  unlink: deed(deleteClaimLink, {
    fields: { linkId: null },
    page,
    done: (_, __, ___, params) => badgeAt('?done=unlinked')(params),
    ignoredErrors: ['not_found'],
  }),
})
