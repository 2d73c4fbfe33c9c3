import { Elysia } from 'elysia'
import type { Visit } from '@/http/visit'
import { addFavorite, removeFavorite } from '@/modules/community/favorites/actions'
import { acceptGroupInvite, claimGroup, readGroupInvite } from '@/modules/community/group-claims/actions'
import { listGroupMembers, readGroup } from '@/modules/community/groups/actions'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { emptyState, PAGER_QUERY, pageAsked, pager, pagerLinks } from '@/site/parts/list'
import { idsOf, knownPeople, personRow } from '@/site/parts/person'
import { ask } from '@/web/ask'
import { summary } from '@/web/fields'
import { deed, form, forms, type Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import { addressOf, type Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import { message } from '@/web/message'
import { type LoadOpen, openPage } from '@/web/open-page'
import { type Params, page, personOf } from '@/web/page'
import { ownPath } from '@/web/redirect'
import { PEOPLE_SHOWN } from '@/web/topics'
import { ownActs } from './group/acts'
import { showGroup } from './group/page'
import { GROUPS_QUERY, showGroups } from './list'

/** An invitation to own a group, with one button. */
async function showInvite(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const { groups } = wordsFor(visit)
  const { group, autoApprove, claimable } = await ask(visit, readGroupInvite, params)
  const person = personOf(visit)
  const title = claimable ? groups.inviteTitle(group.name) : groups.spentTitle
  return {
    title,
    section: 'groups',
    // The address is a secret: its holder may use it.
    headers: { 'referrer-policy': 'no-referrer' },
    body: html`${summary(sent)}<article class="tile">${coverOf(group.id, group.photoUrl, '30rem')}
<div class="invite"><p class="above">${groups.inviteAbove}</p>
<h1 dir="auto">${title}</h1>
${
  claimable
    ? html`<p>${groups.inviteText}</p>
<p><strong>${autoApprove ? groups.inviteNow : groups.inviteAsks}</strong></p>
${
  person === null
    ? html`<a class="button wide" href="${loginPath(ownPath(addressOf(visit)))}">${groups.acceptSignIn}</a>`
    : html`<form method="post">${formToken(person)}<button class="button wide">${groups.accept}</button></form>`
}`
    : html`<p>${groups.spentText}</p>`
}
<p class="after"><a href="/groups/${group.urlname}">${groups.lookAtGroup}</a></p></div></article>`,
  }
}

/** Public members of a group. */
const showMembers: LoadOpen = async (entry, { params, query, words }) => {
  const { groups } = words
  const group = await ask(entry, readGroup, params)
  const { data, pagination } = await ask(entry, listGroupMembers, params, { ...pageAsked(query), limit: 40 })
  const people = await knownPeople(data)
  return {
    title: groups.membersOf(group.name),
    width: 'wide',
    section: 'groups',
    theme: group.themeColor ?? undefined,
    canonical: query.size === 0 ? `/groups/${group.urlname}/members` : undefined,
    head: pagerLinks(pagination, query),
    about: [group.id, PEOPLE_SHOWN, ...idsOf(people)],
    body: html`<p><a href="/groups/${group.urlname}">← <span dir="auto">${group.name}</span></a></p>
<h1 dir="auto">${groups.membersOf(group.name)}</h1>
${
  people.length === 0
    ? emptyState({ title: groups.noMembers })
    : html`<ul class="rows grid" role="list">
${people.map((person) => personRow(person, { label: groups.since, at: person.favoritedAt }, words))}</ul>`
}
${pager(pagination, query, words)}`,
  }
}

const GROUP = '/groups/:slug'
const INVITE = '/groups/claim/:token'

/** An error that no other input would fix. */
const refused = (visit: Visit, { slug }: Params, { problem }: Sent) => {
  const { groups } = wordsFor(visit)
  return message({
    title: groups.notDone,
    text: problem.text,
    to: { href: `/groups/${encodeURIComponent(slug as string)}`, label: groups.back },
  })
}

const toGroup = (_input: unknown, _result: unknown, _visit: Visit, { slug }: Params) =>
  `/groups/${encodeURIComponent(slug as string)}`

const favor = { fields: { groupSlug: null }, page: refused, done: toGroup }

export const groupsPages = new Elysia()
  .get('/groups', ...openPage(showGroups, { query: GROUPS_QUERY }))
  .get(INVITE, ...page((visit, params) => showInvite(visit, params)))
  .post(
    INVITE,
    ...form(acceptGroupInvite, {
      fields: {},
      page: showInvite,
      done: async (_input, _result, visit, params) => {
        const { group } = await ask(visit, readGroupInvite, params)
        return `/groups/${group.urlname}`
      },
    }),
  )
  .get(GROUP, ...openPage(showGroup, { personal: ownActs, keepsPersonal: true }))
  .post(
    GROUP,
    ...forms({
      join: deed(addFavorite, favor),
      leave: deed(removeFavorite, favor),
      claim: deed(claimGroup, {
        fields: ({ groups }) => ({ notes: groups.claimNotes }),
        page: refused,
        done: toGroup,
        ignoredErrors: ['conflict'],
      }),
    }),
  )
  .get(`${GROUP}/members`, ...openPage(showMembers, { query: PAGER_QUERY }))
