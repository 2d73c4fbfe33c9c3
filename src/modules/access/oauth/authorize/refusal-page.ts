import type { AppError } from '@/core/errors'
import { queryOf, type Visit } from '@/http/visit'
import { spoken } from '@/web/error-page'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { sentence } from '@/web/message'
import type { Words } from '@/words/words'
import { forDevelopers } from './for-developers'
import { PageRefusal } from './page-refusal'

/** Says no to a person who followed the link of an application, in words for them and, folded away, for its makers. */
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

/** The usual sentence of a 401 speaks of tokens, to programs. */
const said = (refusal: AppError, words: Words): string =>
  refusal.status === 401 && !(refusal instanceof PageRefusal)
    ? words.access.consent.signInEnded
    : sentence(spoken(refusal, words))

/** The question is put once more, after a sign-in where there is none. */
const beginAgain = (query: string, label: string): Html =>
  html`<a class="button wide" href="/oauth/authorize?${query}">${label}</a>`
