import { demandSameSite } from '@/auth/csrf'
import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { formToken } from './form-token'
import { html } from './html'
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
  const held = fields.flatMap(({ name }) =>
    values.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">\n`),
  )
  const typed = fields.flatMap(({ name, label }) => {
    const said = values.getAll(name).filter((value) => value.trim() !== '')
    return label && said.length > 0 ? [{ label, said: said.map(inWords).join(', ') }] : []
  })
  const title = caller ? kept.check : kept.ended
  return {
    // The session that the form was made for is no more; as far as this form goes, nobody has asked.
    status: caller ? 403 : 401,
    title,
    body: html`<div class="card">
<h1>${title}</h1>
<p>${caller ? kept.checkText : kept.endedText}</p>
${
  typed.length > 0 &&
  html`<dl class="typed">
${typed.map(({ label, said }) => html`<dt>${label}</dt><dd class="letter" dir="auto">${said}</dd>\n`)}</dl>\n`
}${
  caller === null &&
  html`<a class="button wide" href="${loginPath(ownPath(addressOf(visit)))}" target="_blank" rel="noopener">${kept.signIn}</a>\n`
}<form method="post" action="${addressOf(visit)}">
${held}${caller && formToken(caller)}<button class="button wide${caller === null && ' plain'}">${
      caller ? kept.send : kept.sendAgain
    }</button>
</form>
</div>`,
  }
}

/** A box that was ticked says `on`. */
const inWords = (value: string) => (value === 'on' ? '✓' : value)
