import { letters } from '@/areas'
import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { isId } from '@/core/ids'
import { iso } from '@/core/shapes'
import { clientAddress } from '@/http/address'
import { respond, respondJson } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { type KeptMail, readKept, readOneKept } from '@/mail/kept'
import { sendAllDue } from '@/mail/mailer'
import { html, type Piece } from '@/web/html'
import { wordsFor } from '@/web/language'
import { type Page, policy } from '@/web/layout'
import type { Words } from '@/words/words'

const SHOWN_MAX = 100

/** Sends due mail first, so that the mailbox is current even without a worker. */
async function recentMails({ url }: Request) {
  await sendAllDue(letters)
  return readKept(SHOWN_MAX, URL.parse(url)?.searchParams.get('to') ?? undefined)
}

/** Loopback addresses in the form of rate-limit keys: IPv6 by its /64. */
const LOOPBACK = /^127\.\d+\.\d+\.\d+$|^0:0:0:0::\/64$/
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

const PAGE_HEADERS = { 'content-security-policy': `${policy("'self'")}; frame-src 'self'` }

/** Shows the demo's mail, only to a browser on this machine. */
export async function showMailbox(visit: Visit): Promise<Page> {
  demandLoopback(visit.request)
  const words = wordsFor(visit)
  const { title, lead, none } = words.access.mails
  const mails = await recentMails(visit.request)
  const body = html`<h1>${title}</h1>
<p class="quiet">${lead}</p>
${mails.length === 0 && html`<p class="card">${none}</p>`}
${mails.map((mail) => entry(mail, words))}`
  return { title, body, width: 'wide', headers: PAGE_HEADERS }
}

const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-top-navigation-by-user-activation',
  ].join('; '),
}

/** One mail, sandboxed as in a mailbox: it can only open links. */
export async function showMail(visit: Visit, { id = '' }: Record<string, string>): Promise<Response> {
  demandLoopback(visit.request)
  const mail = isId(id) ? await readOneKept(id) : undefined
  if (mail === undefined) throw notFound('Page')
  return respond(visit, 200, mail.html.replace('<head>', '<head>\n<base target="_top">'), MAIL_HEADERS)
}

export async function mailboxJson(visit: Visit): Promise<Response> {
  demandLoopback(visit.request)
  const mails = (await recentMails(visit.request)).map(({ at, ...mail }) => ({ ...mail, at: iso(at) }))
  return respondJson(visit, 200, mails, { 'cache-control': 'no-store' })
}

const entry = (
  { id, to, subject, text, calendar, at }: KeptMail,
  { access }: Words,
) => html`<article class="card">
<h2 class="first">${subject}</h2>
<p class="quiet small">${access.mails.to(to)}<br>${iso(at)
  .replace('T', ' ')
  .replace(/\.\d+Z$/, ' UTC')}</p>
<iframe class="mail" src="/dev/mailbox/${id}" title="${subject}" loading="lazy" sandbox="allow-top-navigation-by-user-activation"></iframe>
<details><summary>${access.mails.plain}</summary><div class="letter">${text.split(/(https?:\/\/\S+)/).map(linked)}</div></details>
${calendar && html`<details><summary>${access.mails.calendar} (${calendar.method})</summary><pre class="letter">${calendar.text}</pre></details>`}
</article>`

const linked = (part: string): Piece =>
  part.startsWith(`${config.authUrl}/`) ? html`<a href="${part}">${part}</a>` : part

/** A proxy, or another host name (DNS rebinding), means a remote client. */
function demandLoopback(request: Request) {
  const isProxied = config.trustedProxies.length === 0 && request.headers.has('x-forwarded-for')
  const hostname = URL.parse(request.url)?.hostname ?? ''
  const isOurName = LOOPBACK_NAMES.has(hostname) || hostname === new URL(config.baseUrl).hostname
  if (isProxied || !isOurName || !LOOPBACK.test(clientAddress(request))) throw notFound('Page')
}
