import { keyOf, publicPath } from '@/modules/people/uploads/key'
import { type Html, html } from '@/web/html'
import { alarm } from '@/web/problem'
import type { Client } from '../queries'
import type { AuthorizationRequest } from './check-client'
import { type Choice, choiceOf } from './choice'
import { toLoginPath } from './to-login'

export type Person = { name: string; username: string | null; email: string | null }

type Question = {
  request: AuthorizationRequest
  choice: Choice
  person: Person
  query: string
  sealed: string
  problem?: string
}

/** Puts the question: who asks, whom, for what, for how long, and where the answer goes. */
export function consentPage({ request, choice, person, query, sealed, problem }: Question): Html {
  const { client, redirectUri } = request
  return html`<section class="card" aria-labelledby="question">
<div class="app">
${logo(client)}
<div>
<h1 id="question">Allow <bdi>${client.name}</bdi>?</h1>
<p class="quiet small">${origin(client)}</p>
</div>
</div>
${client.ownerId === null && unverified('Allow it only if you began this yourself.')}
<p class="account">You are signed in as <strong><bdi>${person.name}</bdi></strong>${handle(person)}.<br>
<a href="${toLoginPath(query, 'login')}">Use another account</a></p>
${alarm(problem)}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${sealed}">
${choiceOf(choice, problem)}
<p class="small">You will be sent to ${destination(redirectUri)}. This holds until you end it under
<a href="/settings/applications">your connected applications</a>, or until the application has not used it for 60 days.</p>
${links(client)}
<div class="buttons">
<button class="button plain" name="decision" value="deny">Deny</button>
<button class="button" name="decision" value="allow">Allow</button>
</div>
</form>
</section>`
}

const handle = ({ username, email }: Person) => {
  const known = [username, email].filter((one) => one !== null)
  return known.length > 0 && ` (${known.join(', ')})`
}

/** A picture of our own storage, or initials: a reader's browser asks no other host for anything. */
export function logo({ name, logoUri }: Pick<Client, 'name' | 'logoUri'>): Html {
  const key = keyOf(logoUri ?? '')
  if (key) return html`<img src="${publicPath(key)}" alt="">`
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return html`<span class="initials" aria-hidden="true">${words.slice(0, 2).join('').toUpperCase()}</span>`
}

export const origin = ({ ownerId, ownerUsername }: Pick<Client, 'ownerId' | 'ownerUsername'>) =>
  ownerId === null ? 'Registered itself, not verified' : `Registered by ${ownerUsername ?? 'a member'}`

export const unverified = (advice: string) =>
  html`<p class="notice alarm small">Nobody has verified who is behind this application. ${advice}</p>`

/** Where a redirect URI leads, in words that a person can judge. */
function destination(redirectUri: string): Html {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  if (protocol === 'http:') return html`a program on this device (<strong>${host}</strong>)`
  return html`an application on this device (<strong>${protocol}</strong>)`
}

function links({ website, policyUri, tosUri }: Client): Html | false {
  const given = [
    { label: 'Website', url: website },
    { label: 'Privacy policy', url: policyUri },
    { label: 'Terms', url: tosUri },
  ].filter(({ url }) => url?.startsWith('https://'))
  return (
    given.length > 0 &&
    html`<ul class="small">
${given.map(({ label, url }) => html`<li>${label}: <a href="${url}" rel="noopener nofollow noreferrer">${url}</a></li>`)}
</ul>`
  )
}

/** Where the form may lead: to us, and from us to the application. What a policy cannot say exactly it says by scheme. */
export function formTargets(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri)
  return `'self' ${/^https?:\/\/[A-Za-z0-9.-]+(:\d+)?$/.test(origin) ? origin : protocol}`
}
