import type { Visit } from '@/http/visit'
import { keyOf, publicPath } from '@/modules/people/uploads/key'
import { alarm } from '@/web/fields'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import { redirect } from '@/web/redirect'
import type { Words } from '@/words/words'
import type { Client } from '../queries'
import type { AuthorizationRequest } from './check-client'
import { type Choice, choiceOf } from './choice'

/** The sign-in page that returns to this request; `prompt=login` for people who are signed in. */
export const toLoginPath = (query: string, prompt?: 'login'): string =>
  `${LOGIN}?returnTo=${encodeURIComponent(`/oauth/authorize?${query}`)}${prompt ? `&prompt=${prompt}` : ''}`

export const toLogin = (visit: Visit, query: string): Response => redirect(visit, 302, toLoginPath(query))

/** The same for people who are signed in. They return with a fresh login, so this does not loop. */
export const toFreshLogin = (visit: Visit, query: string): Response =>
  redirect(visit, 302, toLoginPath(withoutLogin(query), 'login'))

function withoutLogin(query: string): string {
  const asked = new URLSearchParams(query).get('prompt')?.split(' ') ?? []
  const left = asked.filter((prompt) => prompt !== 'login')
  const others = query.split('&').filter((pair) => !new URLSearchParams(pair).has('prompt'))
  return [...others, ...(left.length > 0 ? [`prompt=${encodeURIComponent(left.join(' '))}`] : [])].join('&')
}

export type Person = { name: string; username: string | null; email: string | null }

type Question = {
  request: AuthorizationRequest
  choice: Choice
  person: Person
  query: string
  sealed: string
  problem?: string
  words: Words
}

type Said = Words['access']['consent']

/** Renders the consent page: application, account, scopes, duration and destination. */
export function consentPage({ request, choice, person, query, sealed, problem, words }: Question): Html {
  const said = words.access.consent
  const { client, redirectUri } = request
  return html`<section class="card" aria-labelledby="question">
<div class="app">
${logo(client)}
<div>
<h1 id="question">${said.heading(html`<bdi>${client.name}</bdi>`)}</h1>
<p class="quiet small">${origin(client, words)}</p>
</div>
</div>
${client.ownerId === null && unverified(said, said.onlyIfBegun)}
<p>${said.signedInAs(html`<strong><bdi>${person.name}</bdi></strong>`, handle(person))}<br>
<a href="${toLoginPath(query, 'login')}">${said.another}</a></p>
${alarm(problem)}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${sealed}">
${choiceOf(choice, words, problem)}
<p class="small">${said.whereTo(destination(redirectUri, said), (text) => html`<a href="/settings/applications">${text}</a>`)}</p>
${links(client, said)}
<div class="buttons">
<button class="button plain" name="decision" value="deny">${said.deny}</button>
<button class="button" name="decision" value="allow">${said.allow}</button>
</div>
</form>
</section>`
}

const handle = ({ username, email }: Person) => {
  const known = [username, email].filter((one) => one !== null)
  return known.length > 0 && known.join(', ')
}

/** A picture from our storage, or initials: browsers load nothing from other hosts. */
export function logo({ name, logoUri }: Pick<Client, 'name' | 'logoUri'>): Html {
  const key = keyOf(logoUri ?? '')
  if (key) return html`<img src="${publicPath(key)}" alt="">`
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return html`<span class="initials" aria-hidden="true">${words.slice(0, 2).join('').toUpperCase()}</span>`
}

export const origin = (
  { ownerId, ownerUsername }: Pick<Client, 'ownerId' | 'ownerUsername'>,
  { access: { consent } }: Words,
) => (ownerId === null ? consent.registeredItself : consent.registeredBy(ownerUsername ?? consent.aMember))

export const unverified = (said: Said, advice: string) =>
  html`<p class="notice alarm small">${said.unverified} ${advice}</p>`

/** Describes the target of a redirect URI. */
function destination(redirectUri: string, said: Said): Html {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  if (protocol === 'http:') return html`${said.programHere(html`<strong>${host}</strong>`)}`
  return html`${said.applicationHere(html`<strong>${protocol}</strong>`)}`
}

function links({ website, policyUri, tosUri }: Client, said: Said): Html | false {
  const given = [
    { label: said.website, url: website },
    { label: said.privacy, url: policyUri },
    { label: said.terms, url: tosUri },
  ].filter(({ url }) => url?.startsWith('https://'))
  return (
    given.length > 0 &&
    html`<ul class="small">
${given.map(({ label, url }) => html`<li>${label}: <a href="${url}" rel="noopener nofollow noreferrer">${url}</a></li>`)}
</ul>`
  )
}

/** The `form-action` policy: us, and the application's redirect URI. Falls back to the scheme if the policy cannot express it. */
export function formTargets(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri)
  return `'self' ${/^https?:\/\/[A-Za-z0-9.-]+(:\d+)?$/.test(origin) ? origin : protocol}`
}
