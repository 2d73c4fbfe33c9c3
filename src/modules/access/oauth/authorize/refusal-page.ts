import { AppError, type ErrorCode } from '@/core/errors'
import { queryOf, type Visit } from '@/http/visit'
import { spoken } from '@/web/error-page'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { sentence } from '@/web/message'
import type { Words } from '@/words/words'

type Known = { what?: string; query: string; requestId: string }
type Said = Words['access']['consent']

/** Details for a developer, folded. People can pass them on. */
export function forDevelopers({ what, query, requestId }: Known, { access: { consent } }: Words): Html {
  const sent = new URLSearchParams(query)
  return html`<details class="details small">
<summary>${consent.forDevelopers}</summary>
<dl>
${what !== undefined && html`<dt>${consent.whatIsWrong}</dt><dd>${what}</dd>`}
${sent.has('client_id') && html`<dt>client_id</dt><dd>${asSent(sent.get('client_id'), consent)}</dd>`}
${sent.has('redirect_uri') && html`<dt>redirect_uri</dt><dd>${asSent(sent.get('redirect_uri'), consent)}</dd>`}
<dt>${consent.request}</dt><dd><code>${requestId}</code></dd>
</dl>
<p><a href="/docs">${consent.howToAsk}</a></p>
</details>`
}

const LENGTH_MAX = 200

/** Values with spaces or other scripts are no ids or addresses, and could be a message to the reader. */
function asSent(value: string | null, { empty, malformed }: Said): Html {
  if (!value) return html`${empty}`
  if (!/^[\x21-\x7e]+$/.test(value)) return html`${malformed}`
  return html`<code>${value.length > LENGTH_MAX ? `${value.slice(0, LENGTH_MAX)}…` : value}</code>`
}

type More = {
  /** For the developer of the application. */
  forDevelopers?: string
  /** The request that the person can start again. */
  query?: string
}

/** An error that a person reads: what happened and what to do. */
export class PageRefusal extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly more: More,
  ) {
    super(code, message)
  }
}

export const badLink = (message: string, forDevelopers: string) =>
  new PageRefusal('bad_request', message, { forDevelopers })

/** An error page for a person who followed an application's link, with folded details for its developers. */
export function refusalPage(visit: Visit, refusal: AppError): Page {
  const { status, headers } = refusal
  const words = wordsFor(visit)
  const { consent } = words.access
  const more = refusal instanceof PageRefusal ? refusal.more : {}
  const title = words.errors.titles[status] ?? consent.failed
  const query = more.query ?? queryOf(visit.request.url)
  return {
    status,
    headers,
    title,
    body: html`<section class="card"><h1>${title}</h1>
<p>${said(refusal, words)} ${more.query === undefined && consent.advice[status]}</p>
${more.query !== undefined && beginAgain(more.query, consent.beginAgain)}
${forDevelopers({ what: more.forDevelopers, query, requestId: visit.id }, words)}
</section>`,
  }
}

/** The usual 401 message is about tokens, for programs. */
const said = (refusal: AppError, words: Words): string =>
  refusal.status === 401 && !(refusal instanceof PageRefusal)
    ? words.access.consent.signInEnded
    : sentence(spoken(refusal, words))

/** Asks again, after a sign-in if needed. */
const beginAgain = (query: string, label: string): Html =>
  html`<a class="button wide" href="/oauth/authorize?${query}">${label}</a>`
