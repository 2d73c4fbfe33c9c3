import type { Sent } from './form'
import { type Html, html } from './html'
import { sentence } from './message'

/** What is wrong with a form, read aloud at once. */
export const alarm = (problem: string | undefined): Html | false =>
  problem !== undefined && html`<p class="notice alarm" role="alert" id="problem">${sentence(problem)}</p>`

/** For the field that an alarm is about. */
export const marks = (problem: string | undefined): Html | false =>
  problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`

/** What is wrong with a form that came back: it has the focus, and leads to the field that it is about. */
export function summary(sent: Sent | undefined): Html | false {
  if (sent === undefined || sent.isPreview) return false
  const { text, field } = sent.problem
  return html`<p class="notice alarm" role="alert" tabindex="-1" autofocus>${
    field === undefined ? sentence(text) : html`<a href="#${field}">${sentence(text)}</a>`
  }</p>`
}
