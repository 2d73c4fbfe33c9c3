import { config } from '@/config/config'
import { isRefused } from '@/db/conflicts'
import { checkClient } from '@/modules/access/oauth/authorize/check-client'
import type { Client } from '@/modules/access/oauth/queries'
import { canSendMail } from '@/outbound/mail/send'
import { alarm, marks } from '@/web/fields'
import { type Html, html } from '@/web/html'
import { type Page, policy } from '@/web/layout'
import { loginPath } from '@/web/login'
import type { Words } from '@/words/words'
import { readAddress } from './addresses'
import { formTargets } from './form-targets'
import { providers } from './providers/definitions'
import { canSignIn } from './visitor'

type Said = { email?: string; problem?: string }

/** The demo sends no mail: tells visitors where to read it. */
const mailboxHint = ({ access }: Words) =>
  config.mode !== 'production' &&
  config.smtpUrl === null &&
  html`<p class="after quiet small">${access.signIn.mailbox((text) => html`<a href="/dev/mailbox">${text}</a>`)}</p>`

export async function loginPage(
  words: Words,
  returnTo: string,
  { email, problem }: Said = {},
): Promise<Page> {
  const { signIn } = words.access
  const ways = [...providers.values()]
  const sender = await senderOf(returnTo)
  const body = html`<div class="card">
<h1>${signIn.to(config.siteName)}</h1>
${sender && sentBy(words, sender)}
<p class="quiet">${signIn.newHere}</p>
${alarm(problem)}
${canSendMail() && mailForm(words, returnTo, { email: email ?? sender?.email, problem })}
${canSendMail() && ways.length > 0 && html`<p class="or">${signIn.or}</p>`}
${ways.map(({ id, name }) => html`<a class="button plain wide" href="/auth/${id}?returnTo=${encodeURIComponent(returnTo)}">${signIn.with(name)}</a>`)}
${!canSignIn() && html`<p class="notice alarm">${signIn.noWay(SMTP_URL)}</p>`}
</div>`
  return { title: signIn.title, body }
}

const sentBy = ({ access }: Words, { client }: Sender): Html =>
  html`<p class="notice">${access.signIn.sentBy(client.ownerId !== null, html`<strong><bdi>${client.name}</bdi></strong>`)}</p>`

const mailForm = (
  { access: { signIn } }: Words,
  returnTo: string,
  { email, problem }: Said,
): Html => html`<form method="post" action="/auth/email">
<input type="hidden" name="returnTo" value="${returnTo}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" required value="${email}"${marks(problem)}>
<button class="button wide" type="submit">${signIn.sendMail}</button>
</form>`

const SMTP_URL = html`<code>SMTP_URL</code>`

/** The same for every address, known or not. */
export function codePage(words: Words, returnTo: string, { email, problem }: Said & { email: string }): Page {
  const { signIn } = words.access
  const body = html`<div class="card">
<h1>${signIn.checkMail}</h1>
<p>${signIn.sent(html`<strong>${email}</strong>`)}</p>
${alarm(problem)}
<form method="post" action="/auth/email/verify">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="returnTo" value="${returnTo}">
<label for="code">${signIn.code}</label>
<input class="code" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required autofocus${marks(problem)}>
<button class="button wide" type="submit">${signIn.button}</button>
</form>
<p class="after small"><a href="${loginPath(returnTo)}">${signIn.another}</a></p>
${mailboxHint(words)}
</div>`
  return { title: signIn.checkMail, body, headers: framed(returnTo) }
}

/** Mail scanners follow links, so a link alone signs no one in. */
export function confirmPage(
  { access: { signIn } }: Words,
  { email, returnTo }: { email: string; returnTo: string },
  token: string,
): Page {
  const body = html`<div class="card">
<h1>${signIn.almost}</h1>
<p>${signIn.as(html`<strong>${email}</strong>`)}</p>
<form method="post" action="/auth/email/verify">
<input type="hidden" name="token" value="${token}">
<button class="button wide" type="submit">${signIn.button}</button>
</form>
<p class="after small quiet">${signIn.notAsked}</p>
</div>`
  return { title: signIn.title, body, headers: framed(returnTo) }
}

const framed = (returnTo: string) => ({ 'content-security-policy': policy(formTargets(returnTo)) })

const QUESTION = '/oauth/authorize?'

/** The application that sent the person, and the account it expects (`login_hint`). */
type Sender = { client: Client; email: string | undefined }

/** The application behind `returnTo`, if any. */
async function senderOf(returnTo: string): Promise<Sender | undefined> {
  if (!returnTo.startsWith(QUESTION)) return undefined
  try {
    const { client, parameters } = await checkClient(returnTo.slice(QUESTION.length))
    return { client, email: readAddress(parameters.get('login_hint')) ?? undefined }
  } catch (error) {
    // The authorization page shows errors of the request.
    if (isRefused(error)) return undefined
    throw error
  }
}
