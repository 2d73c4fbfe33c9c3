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
import { ownPath } from './redirect'

/** A field with its label; hidden without one. */
export type FormField = { name: string; label: string | null }

/**
 * A form whose session has ended, to be sent again without losing the input. A visitor signs in first; after a new sign-in the
 * person reviews it and confirms. Input of cross-site posts is not repeated.
 */
export function expiredForm(
  visit: Visit,
  caller: Caller | null,
  values: URLSearchParams,
  fields: readonly FormField[],
): Page {
  demandSameSite(visit.request)
  const { kept } = wordsFor(visit).errors
  const title = caller ? kept.check : kept.ended
  return {
    // The form's session has ended, so it counts as unauthenticated.
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
 * A form that cannot be processed right now, on the error page, to be sent again. The sender may be unknown, so it carries the
 * token that it came with.
 */
export function unsentForm(
  visit: Visit,
  error: AppError,
  values: URLSearchParams,
  fields: readonly FormField[],
): Page {
  if (!isSameSite(visit.request)) return errorPage(visit, error)
  const { sendAgain } = wordsFor(visit).errors.kept
  const again = html`${fileNote(visit)}${typed(values, fields)}<form method="post" action="${addressOf(visit)}">
${held(values, [...fields, { name: FORM_TOKEN, label: null }])}<button class="button wide">${sendAgain}</button>
</form>`
  return errorPage(visit, error, undefined, again)
}

/** A file has to be chosen again. */
const fileNote = (visit: Visit): Html | false =>
  !isForm(visit.request) && html`<p>${wordsFor(visit).errors.kept.files}</p>\n`

/** Hidden fields to send again. */
const held = (values: URLSearchParams, fields: readonly FormField[]): Html[] =>
  fields.flatMap(({ name }) =>
    values.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">\n`),
  )

/** The same, for review. */
function typed(values: URLSearchParams, fields: readonly FormField[]): Html | false {
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

/** A ticked checkbox has the value `on`. */
const inWords = (value: string) => (value === 'on' ? '✓' : value)
