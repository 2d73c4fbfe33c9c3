import type { Sent } from './form'
import { type Html, html } from './html'
import { sentence } from './message'

/** An error that screen readers announce. */
export const alarm = (problem: string | undefined): Html | false =>
  problem !== undefined && html`<p class="notice alarm" role="alert" id="problem">${sentence(problem)}</p>`

/** Attributes of the field with the error. */
export const marks = (problem: string | undefined): Html | false =>
  problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`

/** The error summary of a re-rendered form: takes the focus and links to its field. */
export function summary(sent: Sent | undefined): Html | false {
  if (sent === undefined || sent.isPreview) return false
  const { text, field } = sent.problem
  return html`<p class="notice alarm" role="alert" tabindex="-1" autofocus>${
    field === undefined ? sentence(text) : html`<a href="#${field}">${sentence(text)}</a>`
  }</p>`
}
