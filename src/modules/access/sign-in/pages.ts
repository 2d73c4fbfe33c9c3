import { config } from '@/config/config'
import { canSendMail } from '@/outbound/mail/send'
import { type Html, html } from '@/web/html'
import { type Page, policy } from '@/web/layout'
import { loginPath } from '@/web/login'
import { alarm, marks } from '@/web/problem'
import { formTargets } from './form-targets'
import { providers } from './providers/definitions'
import { type Sender, senderOf } from './sender'

type Said = { email?: string; problem?: string }

/** A demo sends no mail, so its visitors are told where to read it. */
const mailboxHint = () =>
  config.mode !== 'production' &&
  config.smtpUrl === null &&
  html`<p class="after quiet small">This server keeps its email to itself: read it in the <a href="/dev/mailbox">mailbox</a>.</p>`

export async function loginPage(returnTo: string, { email, problem }: Said = {}): Promise<Page> {
  const ways = [...providers.values()]
  const sender = await senderOf(returnTo)
  const body = html`<div class="card">
<h1>Sign in to Folkmoot</h1>
${sender && sentBy(sender)}
<p class="quiet">New here? Signing in makes your account.</p>
${alarm(problem)}
${canSendMail() && mailForm(returnTo, { email: email ?? sender?.email, problem })}
${canSendMail() && ways.length > 0 && html`<p class="or">or</p>`}
${ways.map(({ id, name }) => html`<a class="button plain wide" href="/auth/${id}?returnTo=${encodeURIComponent(returnTo)}">Continue with ${name}</a>`)}
${!canSendMail() && ways.length === 0 && NO_WAY}
</div>`
  return { title: 'Sign in', body }
}

/** Whoever made the application chose its name, so it stands apart from what we say. */
const sentBy = ({ client }: Sender): Html => html`<p class="notice">
${client.ownerId === null ? 'An application that calls itself' : 'The application'} <strong><bdi>${client.name}</bdi></strong> sent you here.
Once you are signed in, you are asked what it may do.</p>`

const mailForm = (
  returnTo: string,
  { email, problem }: Said,
): Html => html`<form method="post" action="/auth/email">
<input type="hidden" name="returnTo" value="${returnTo}">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" required value="${email}"${marks(problem)}>
<button class="button wide" type="submit">Email me a link and a code</button>
</form>`

const NO_WAY = html`<p class="notice alarm">No way to sign in has been set up on this server yet. Whoever runs it can add email (<code>SMTP_URL</code>) or a provider such as GitHub.</p>`

/** The same for every address, known or not. */
export function codePage(returnTo: string, { email, problem }: Said & { email: string }): Page {
  const body = html`<div class="card">
<h1>Check your email</h1>
<p>We sent a link and a code to <strong>${email}</strong>. Both work once, for 15 minutes.</p>
${alarm(problem)}
<form method="post" action="/auth/email/verify">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="returnTo" value="${returnTo}">
<label for="code">Code from the email</label>
<input class="code" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required autofocus${marks(problem)}>
<button class="button wide" type="submit">Sign in</button>
</form>
<p class="after small"><a href="${loginPath(returnTo)}">Use another address or send it again</a></p>
${mailboxHint()}
</div>`
  return { title: 'Check your email', body, headers: framed(returnTo) }
}

/** Programs that look into mail follow its links, so a link alone signs nobody in. */
export function confirmPage({ email, returnTo }: { email: string; returnTo: string }, token: string): Page {
  const body = html`<div class="card">
<h1>Almost there</h1>
<p>You are signing in as <strong>${email}</strong>.</p>
<form method="post" action="/auth/email/verify">
<input type="hidden" name="token" value="${token}">
<button class="button wide" type="submit">Sign in</button>
</form>
<p class="after small quiet">If you did not ask for this, close this page: nothing has happened.</p>
</div>`
  return { title: 'Sign in', body, headers: framed(returnTo) }
}

const framed = (returnTo: string) => ({ 'content-security-policy': policy(formTargets(returnTo)) })
