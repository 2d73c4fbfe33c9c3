import type { Visit } from '@/http/visit'
import { changeGroupStanding, listAllGroups } from '@/modules/administration/groups/actions'
import type { AdminGroup } from '@/modules/administration/groups/schema'
import {
  approveGroupClaim,
  createGroupInvite,
  listGroupClaims,
  rejectGroupClaim,
} from '@/modules/community/group-claims/administration-actions'
import type { GroupClaimRequest } from '@/modules/community/group-claims/schema'
import { secretPage } from '@/site/parts/codes'
import { chips, emptyState, list, pageAsked, searchForm } from '@/site/parts/list'
import { person } from '@/site/parts/person'
import { deedForm, press } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { area, line, tick } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { moment } from '@/web/when'
import { type AdminContext, adminContext, adminPage, pathOf } from './admin-page'

export async function showGroups(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query } = context
  const { admin, frame } = words
  const search = query.get('search')?.trim() || undefined
  const featured = query.get('featured') === 'true' || undefined
  const page = await ask(visit, listAllGroups, {}, { search, featured, ...pageAsked(query) })
  return adminPage(
    context,
    'groups',
    html`${searchForm({ label: admin.findGroup, button: frame.searchFor, value: search ?? '', keep: { featured: featured ? 'true' : '' } })}${chips(
      admin.rooms.groups,
      'featured',
      featured ? 'true' : '',
      [
        { value: '', label: admin.all },
        { value: 'true', label: admin.featured },
      ],
    )}
${list({ page, query, words, row: (group) => groupRow(group, context), empty: emptyState({ title: admin.nothing }) })}`,
  )
}

function groupRow(group: AdminGroup, { caller, words: { admin, manage } }: AdminContext): Html {
  const fields = { groupId: group.id }
  return html`<li><div class="what"><h2 dir="auto"><a href="/groups/${group.urlname}">${group.name}</a></h2>
<p class="quiet small">${group.ownerUsernames.length === 0 ? admin.noOwner : group.ownerUsernames.map((name, i) => html`${i > 0 && ', '}<bdi>@${name}</bdi>`)} · ${manage.members(group.memberCount ?? 0)}
${group.isFeatured && html`<span class="mark">${admin.featured}</span>`}${!group.isListed && html` <span class="mark quiet">${admin.unlisted}</span>`}</p></div>
<details class="end"><summary>${admin.change}<span class="hidden"> ${group.name}</span></summary>
${deedForm(caller, {
  deed: 'standing',
  fields,
  body: html`${tick({ name: 'isFeatured', label: admin.fields.isFeatured, checked: group.isFeatured ?? false })}
${tick({ name: 'isListed', label: admin.fields.isListed, checked: group.isListed })}
${line({ name: 'maxBadges', id: `badges-${group.id}`, label: admin.fields.maxBadges, type: 'number', value: group.maxBadges, attributes: html` min="0" max="1000"` })}
${line({ name: 'maxBadgePoints', id: `points-${group.id}`, label: admin.fields.maxBadgePoints, type: 'number', value: group.maxBadgePoints, attributes: html` min="0" max="1000"` })}
<p class="after"><button class="button small">${admin.save}</button> <a class="button plain small" href="/manage/groups/${group.id}">${admin.openManage}</a></p>`,
})}
${press(caller, { deed: 'invite', fields: { ...fields, autoApprove: 'true' }, label: admin.invite })}</details></li>
`
}

export const groupsForms = forms({
  standing: deed(changeGroupStanding, {
    fields: ({ admin: { fields } }) => ({
      groupId: null,
      isFeatured: fields.isFeatured,
      isListed: fields.isListed,
      maxBadges: fields.maxBadges,
      maxBadgePoints: fields.maxBadgePoints,
    }),
    page: showGroups,
    done: () => `${pathOf('groups')}?done=saved`,
  }),
  invite: deed(createGroupInvite, {
    fields: { groupId: null, autoApprove: null },
    page: showGroups,
    done: (_, invite, visit) => {
      const words = wordsFor(visit)
      const { admin } = words
      return secretPage(
        {
          title: admin.invite,
          text: admin.inviteText,
          secrets: [{ label: admin.inviteLink, value: invite?.url ?? '' }],
          to: { href: pathOf('groups'), label: admin.rooms.groups },
        },
        words,
      )
    },
  }),
})

const STATUSES = ['pending', 'approved', 'rejected'] as const

export async function showClaims(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query } = context
  const { admin } = words
  const asked = query.get('status')
  const status = asked === 'all' ? undefined : (STATUSES.find((one) => one === asked) ?? 'pending')
  const page = await ask(visit, listGroupClaims, {}, { status, ...pageAsked(query) })
  return adminPage(
    context,
    'claims',
    html`${chips(admin.rooms.claims, 'status', status === 'pending' ? '' : (status ?? 'all'), [
      ...STATUSES.map((value) => ({ value: value === 'pending' ? '' : value, label: admin.statuses[value] })),
      { value: 'all', label: admin.all },
    ])}
${list({ page, query, words, row: (claim) => claimRow(claim, context), empty: emptyState({ title: admin.noClaims }) })}`,
  )
}

function claimRow(
  { id, group, user, notes, status, createdAt }: GroupClaimRequest,
  { caller, words }: AdminContext,
): Html {
  const { admin } = words
  const fields = { requestId: id }
  return html`<li>${person(user, html`→ <a href="/groups/${group.urlname}" dir="auto">${group.name}</a> · ${moment(new Date(createdAt), null, words)}${notes && html`<br><span dir="auto">${notes}</span>`}`)}
<div class="end">${
    status === 'pending'
      ? html`${press(caller, { deed: 'approve', fields, label: admin.approve, kind: 'small' })}
<details><summary>${admin.reject}</summary>${deedForm(caller, {
          deed: 'reject',
          fields,
          body: html`${area({ name: 'notes', id: `notes-${id}`, label: admin.fields.notes, rows: 2, attributes: html` maxlength="1000"` })}
<p class="after"><button class="button danger small">${admin.reject}</button></p>`,
        })}</details>`
      : html`<span class="mark quiet">${admin.statuses[status]}</span>`
  }</div></li>
`
}

export const claimsForms = forms({
  approve: deed(approveGroupClaim, {
    fields: { requestId: null },
    page: showClaims,
    done: () => `${pathOf('claims')}?done=approved`,
  }),
  reject: deed(rejectGroupClaim, {
    fields: ({ admin: { fields } }) => ({ requestId: null, notes: fields.notes }),
    page: showClaims,
    done: () => `${pathOf('claims')}?done=rejected`,
  }),
})
