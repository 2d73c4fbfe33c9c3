import { demandSameSite, isSameSite } from '@/auth/csrf'
import type { Caller } from '@/core/caller'
import type { AppError } from '@/core/errors'
import { isForm } from '@/http/form-body'
import type { Visit } from '@/http/visit'
import { errorPage } from './error-page'
import { FORM_TOKEN, formToken } from './form-token'
import { type Html, html } from './html'
import { wordsFor } from './language'
import { addressOf, type Page } from './layout'
import { loginPath } from './login'
import { ownPath } from './own-path'

/** A field of a form by its name, and as people read it: one without a label is hidden. */
export type KeptField = { name: string; label: string | null }

/**
 * A form whose session has ended since its page was made, to be sent once more: nothing that was typed is lost. A
 * stranger signs in beside it first; whoever has signed in anew looks it over, and one more press does it. What another
 * site sent is not said again.
 */
export function keptForm(
  visit: Visit,
  caller: Caller | null,
  values: URLSearchParams,
  fields: readonly KeptField[],
): Page {
  demandSameSite(visit.request)
  const { kept } = wordsFor(visit).errors
  const title = caller ? kept.check : kept.ended
  return {
    // The session that the form was made for is no more; as far as this form goes, nobody has asked.
    status: caller ? 403 : 401,
    title,
    body: html`<div class="card">
<h1>${title}</h1>
<p>${caller ? kept.checkText : kept.endedText}</p>
${fileNote(visit)}${typed(values, fields)}${
  caller === null &&
  html`<a class="button wide" href="${loginPath(ownPath(addressOf(visit)))}" target="_blank" rel="noopener">${kept.signIn}</a>\n`
}<form method="post" action="${addressOf(visit)}">
${held(values, fields)}${caller && formToken(caller)}<button class="button wide${caller === null && ' plain'}">${
      caller ? kept.send : kept.sendAgain
    }</button>
</form>
</div>`,
  }
}

/**
 * A form that could not be taken for now, on the page that says why, to be sent once more. It may be unknown who sent it, so
 * it holds the token that came with it.
 */
export function unsentForm(
  visit: Visit,
  error: AppError,
  values: URLSearchParams,
  fields: readonly KeptField[],
): Page {
  if (!isSameSite(visit.request)) return errorPage(visit, error)
  const { sendAgain } = wordsFor(visit).errors.kept
  const again = html`${fileNote(visit)}${typed(values, fields)}<form method="post" action="${addressOf(visit)}">
${held(values, [...fields, { name: FORM_TOKEN, label: null }])}<button class="button wide">${sendAgain}</button>
</form>`
  return errorPage(visit, error, undefined, again)
}

/** Pages cannot hold a file for people. */
const fileNote = (visit: Visit): Html | false =>
  !isForm(visit.request) && html`<p>${wordsFor(visit).errors.kept.files}</p>\n`

/** What a form sent, to be sent again. */
const held = (values: URLSearchParams, fields: readonly KeptField[]): Html[] =>
  fields.flatMap(({ name }) =>
    values.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">\n`),
  )

/** The same, to be looked over. */
function typed(values: URLSearchParams, fields: readonly KeptField[]): Html | false {
  const lines = fields.flatMap(({ name, label }) => {
    const said = values.getAll(name).filter((value) => value.trim() !== '')
    return label && said.length > 0 ? [{ label, said: said.map(inWords).join(', ') }] : []
  })
  return (
    lines.length > 0 &&
    html`<dl class="typed">
${lines.map(({ label, said }) => html`<dt>${label}</dt><dd class="letter" dir="auto">${said}</dd>\n`)}</dl>\n`
  )
}

/** A box that was ticked says `on`. */
const inWords = (value: string) => (value === 'on' ? '✓' : value)
