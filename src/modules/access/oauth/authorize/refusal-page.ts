import type { AppError } from '@/core/errors'
import { queryOf, type Visit } from '@/http/visit'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import { forDevelopers } from './for-developers'
import { PageRefusal } from './page-refusal'

const TITLES: Record<number, string> = {
  401: 'You are not signed in',
  403: 'This cannot be done',
  429: 'Please wait a moment',
  503: 'Please try again in a moment',
}

/** What people can do about it, where the refusal itself does not say. */
const ADVICE: Record<number, string> = {
  400: 'Go back to the application and try again. If that does not help, show its makers what stands below.',
  401: 'Go back to the application and begin again.',
  403: 'Open the link of the application in a browser in which you are signed in.',
  429: 'Then load this page again: nothing is lost.',
  503: 'Load this page again: nothing is lost.',
}

/** Says no to a person who followed the link of an application, in words for them and, folded away, for its makers. */
export function refusalPage(visit: Visit, refusal: AppError): Page {
  const { status, headers } = refusal
  const more = refusal instanceof PageRefusal ? refusal.more : {}
  const title = TITLES[status] ?? 'This did not work'
  const query = more.query ?? queryOf(visit.request.url)
  return {
    status,
    headers,
    title,
    body: html`<section class="card"><h1>${title}</h1>
<p>${said(refusal)} ${more.query === undefined && ADVICE[status]}</p>
${more.query !== undefined && beginAgain(more.query)}
${forDevelopers({ what: more.forDevelopers, query, requestId: visit.id })}
</section>`,
  }
}

/** The usual sentence of a 401 speaks of tokens, to programs. */
function said(refusal: AppError): string {
  if (refusal.status === 401 && !(refusal instanceof PageRefusal)) return 'Your sign-in has ended.'
  return refusal.message.endsWith('.') ? refusal.message : `${refusal.message}.`
}

/** The question is put once more, after a sign-in where there is none. */
const beginAgain = (query: string): Html =>
  html`<a class="button wide" href="/oauth/authorize?${query}">Begin again</a>`
