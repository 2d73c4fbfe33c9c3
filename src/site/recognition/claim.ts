import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { isAppError } from '@/core/errors'
import { invoke } from '@/http/invoke'
import { pathNames } from '@/http/path-names'
import { queryOf, type Visit } from '@/http/visit'
import { claimBadge, readClaim } from '@/modules/recognition/claims/actions'
import { heldAlready, usedUp } from '@/modules/recognition/claims/offer'
import type { ClaimInfo } from '@/modules/recognition/claims/schema'
import { medal, pointsIn } from '@/site/parts/medal'
import { summary } from '@/web/fields'
import { form, type Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import { message } from '@/web/message'
import { type Params, personOf } from '@/web/page'
import type { Words } from '@/words/words'

const namesOf = pathNames(readClaim)

/** The page of a claim link, with one button while it is open. Viewing claims nothing. */
export async function showClaim(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const code = namesOf(params).code as string
  try {
    return claimPage(visit, code, await invoke(visit, readClaim, () => ({ code })), words, sent)
  } catch (error) {
    if (isAppError(error) && error.appCode === 'not_found') return unknown(words)
    throw error
  }
}

function claimPage(visit: Visit, code: string, offer: ClaimInfo, words: Words, sent?: Sent): Page {
  const said = words.recognition.claim
  const { badge, group } = offer
  const isHeld = offer.reason === heldAlready().message
  // A link may claim anything, so only holders see the success message.
  const isNew = isHeld && new URLSearchParams(queryOf(visit.request.url)).has('claimed')
  return {
    title: isNew ? said.yours : said.title(badge.name),
    body: html`<div class="card claim${isNew && ' arriving'}">
${summary(sent)}${isNew && html`<p class="above" role="status">${said.yours}</p>`}
${medal(badge, 'large')}
<h1 dir="auto">${badge.name}</h1>
<p class="quiet">${
      group?.urlname
        ? html`<a href="/groups/${group.urlname}">${said.from(group.name)}</a>`
        : html`${said.from(group?.name ?? config.siteName)}`
    }</p>
${badge.description && html`<p dir="auto">${badge.description}</p>`}
${offer.claimable && badge.points > 0 && html`<p class="quiet">${said.worth(pointsIn(badge.points, words))}</p>`}
${nextStep(personOf(visit), code, offer, { isHeld, isNew }, words)}
</div>`,
  }
}

function nextStep(
  person: Caller | null,
  code: string,
  { badge, claimable, reason }: ClaimInfo,
  { isHeld, isNew }: { isHeld: boolean; isNew: boolean },
  { recognition: { claim } }: Words,
): Html {
  const path = `/claim/${encodeURIComponent(code)}`
  if (claimable && person === null)
    return html`<a class="button wide" href="${loginPath(path)}">${claim.signIn}</a>`
  if (claimable && person !== null)
    return html`<form method="post" action="${path}">${formToken(person)}<button class="button wide">${claim.button}</button></form>`
  const see = html`<a class="button wide" href="/badges/${badge.slug}">${claim.see}</a>`
  if (isHeld) return html`<p class="notice">${isNew ? claim.yoursText : `${claim.already}.`}</p>${see}`
  const why = reason === usedUp().message ? claim.usedUp : claim.expired
  return html`<p class="notice"><strong>${why}.</strong> ${claim.ask}</p>
<a class="button plain wide" href="/badges">${claim.allBadges}</a>`
}

const unknown = ({ recognition: { claim } }: Words): Page =>
  message({
    status: 404,
    above: 404,
    title: claim.unknown,
    text: claim.unknownText,
    to: { href: '/badges', label: claim.allBadges },
  })

/** The page itself tells holders, and people who are too late. */
export const takeBadge = form(claimBadge, {
  fields: {},
  page: showClaim,
  done: ({ code }, result) =>
    `/claim/${encodeURIComponent(String(code))}${result === undefined ? '' : '?claimed'}`,
  ignoredErrors: ['conflict', 'gone'],
})
