import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import type { Visit } from '@/http/visit'
import {
  changeAchievement,
  listDefinedAchievements,
} from '@/modules/recognition/achievements/definitions/actions'
import type { Achievement } from '@/modules/recognition/achievements/definitions/schema'
import {
  createPlatformBadge,
  deletePlatformBadge,
  listPlatformBadges,
  updatePlatformBadge,
} from '@/modules/recognition/badges/platform/actions'
import { awardPlatformBadge, revokePlatformBadge } from '@/modules/recognition/badges/platform/awards-actions'
import type { PlatformBadge } from '@/modules/recognition/badges/platform/schema'
import { createPlatformClaimLink } from '@/modules/recognition/claims/manage-actions'
import { secretPage } from '@/site/parts/codes'
import { badgeFields, badgeLabels, newBadgeLabels, slugInto } from '@/site/parts/fields'
import { emptyState, list, pageAsked } from '@/site/parts/list'
import { danger, deedForm, press } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { line } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import type { Words } from '@/words/words'
import { type AdminContext, adminContext, adminPage, pathOf } from './admin-page'

const POINTS_MAX = 1000

export async function showPlatformBadges(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query, caller } = context
  const { admin, manage } = words
  const page = await ask(visit, listPlatformBadges, {}, pageAsked(query))
  const shown = adminPage(
    context,
    'badges',
    html`<div class="columns"><div>${list({ page, query, words, row: (badge) => badgeRow(badge, context), empty: emptyState({ title: admin.nothing }) })}</div>
<aside><section class="card"><h2 class="first">${manage.newBadge}</h2>
${deedForm(caller, { deed: 'create', body: html`${badgeFields(words, { sent, pointsMax: POINTS_MAX, mayHide: true })}<button class="button wide">${manage.newBadge}</button>` })}</section></aside></div>`,
  )
  return { ...shown, islands: ['suggest'] }
}

/** Editing has its own page, so that field names in a list stay unique. */
const badgeRow = (badge: PlatformBadge, { caller, words: { manage, admin } }: AdminContext): Html =>
  html`<li><span class="emblem" aria-hidden="true">${badge.icon}</span><div class="what"><h2 dir="auto"><a href="${pathOf('badges')}/${badge.id}">${badge.name}</a></h2>
<p class="quiet small">${manage.points(badge.points)} · ${manage.holders(badge.awardedCount)}${badge.hidden && html` <span class="mark quiet">${admin.hidden}</span>`}</p></div>
<div class="end">${press(caller, { deed: 'link', fields: { badgeId: badge.id }, label: manage.newLink })}</div></li>
`

export async function showPlatformBadge(visit: Visit, { badgeId }: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, caller } = context
  const { manage, frame } = words
  const badge = await findBadge(visit, badgeId)
  const fields = { badgeId: badge.id }
  return adminPage(
    context,
    'badges',
    html`<div class="columns"><div><h2 class="first" dir="auto">${badge.icon} ${badge.name}</h2>
${deedForm(caller, { deed: 'save', fields, body: html`${badgeFields(words, { badge, sent, pointsMax: POINTS_MAX, mayHide: true })}<button class="button wide">${frame.save}</button>` })}</div>
<aside><section class="card"><h2 class="first">${manage.award}</h2>${person(context, 'award', manage.award, sent)}
<details><summary>${manage.revoke}</summary>${person(context, 'revoke', manage.revoke)}</details>
${danger(caller, { deed: 'delete', fields, title: manage.deleteBadge, text: manage.deleteBadgeText(badge.awardedCount), label: manage.deleteBadge })}</section></aside></div>`,
  )
}

const person = (
  { caller, words: { manage } }: AdminContext,
  name: string,
  label: string,
  sent?: Sent,
): Html =>
  deedForm(caller, {
    deed: name,
    body: html`${line({ name: 'userId', id: `${name}-userId`, label: manage.fields.username, attributes: html` required maxlength="100" autocapitalize="none"` }, sent)}
<p class="after"><button class="button plain">${label}</button></p>`,
  })

/** A few dozen exist, and no action reads a single one. */
async function findBadge(visit: Visit, badgeId = ''): Promise<PlatformBadge> {
  let cursor: string | undefined
  do {
    const { data, pagination } = await ask(visit, listPlatformBadges, {}, { limit: 100, cursor })
    const found = data.find(({ id }) => id === badgeId.toLowerCase())
    if (found) return found
    cursor = pagination.nextCursor
  } while (cursor !== undefined)
  throw notFound('Badge')
}

const withHidden = (words: Words) => ({ hidden: words.manage.fields.hidden })
const page = showPlatformBadge
const at =
  (rest: string) =>
  ({ badgeId }: Record<string, unknown>) =>
    `${pathOf('badges')}/${badgeId}${rest}`
const named = { page, fields: ({ manage }: Words) => ({ userId: manage.fields.username }) }

export const platformBadgesForms = forms({
  create: deed(createPlatformBadge, {
    fields: (words) => ({ ...newBadgeLabels(words), ...withHidden(words) }),
    prepare: slugInto('slug'),
    page: showPlatformBadges,
    done: (_, badge) => at('?done=saved')({ badgeId: badge?.id }),
  }),
  link: deed(createPlatformClaimLink, {
    fields: { badgeId: null },
    page: showPlatformBadges,
    done: (_, link, visit) => {
      const words = wordsFor(visit)
      return secretPage(
        {
          title: words.manage.claimLinks,
          text: words.manage.claimLinksText,
          secrets: [
            { label: words.manage.done.linked ?? '', value: `${config.baseUrl}/claim/${link?.code}` },
          ],
          to: { href: pathOf('badges'), label: words.admin.rooms.badges },
        },
        words,
      )
    },
  }),
})

export const platformBadgeForms = forms({
  save: deed(updatePlatformBadge, {
    fields: (words) => ({ ...badgeLabels(words), ...withHidden(words) }),
    page,
    done: at('?done=saved'),
  }),
  award: deed(awardPlatformBadge, { ...named, done: at('?done=saved') }),
  revoke: deed(revokePlatformBadge, { ...named, done: at('?done=saved') }),
  delete: deed(deletePlatformBadge, { fields: {}, page, done: () => `${pathOf('badges')}?done=deleted` }),
})

export async function showAchievements(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query } = context
  const page = await ask(visit, listDefinedAchievements, {}, pageAsked(query))
  return adminPage(
    context,
    'achievements',
    list({
      page,
      query,
      words,
      row: (one) => achievementRow(one, context),
      empty: emptyState({ title: words.admin.nothing }),
    }),
  )
}

const achievementRow = (
  { key, name, description, icon, targetValue, eventType, enabled, hidden, badgeSlug }: Achievement,
  { caller, words: { admin } }: AdminContext,
): Html => html`<li><span class="emblem" aria-hidden="true">${icon}</span><div class="what"><h2 dir="auto">${name}</h2>
<p class="quiet small"><span dir="auto">${description}</span><br><code>${eventType}</code> × ${targetValue}${badgeSlug && html` → <a href="/badges/${badgeSlug}">${badgeSlug}</a>`}${hidden && html` <span class="mark quiet">${admin.hidden}</span>`}</p></div>
<div class="end">${press(caller, { deed: 'switch', fields: { key, enabled: String(!enabled) }, label: html`${enabled ? admin.switchOff : admin.switchOn}<span class="hidden"> ${name}</span>` })}</div></li>
`

export const achievementsForms = forms({
  switch: deed(changeAchievement, {
    fields: { key: null, enabled: null },
    page: showAchievements,
    done: () => `${pathOf('achievements')}?done=saved`,
  }),
})
