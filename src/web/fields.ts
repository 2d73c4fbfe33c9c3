import type { Sent } from './form'
import { type Html, html } from './html'
import { sentence } from './message'

type Line = {
  name: string
  label: string
  type?: 'text' | 'email' | 'url' | 'number' | 'datetime-local'
  /** What stands there at first. */
  value?: string | number | null
  /** What else the element says, such as html` required maxlength="80"`. */
  attributes?: Html
}

/** A line to type in. On a form that came back it holds what was typed, and what is wrong with it stands below. */
export function line({ name, label, type = 'text', value, attributes }: Line, sent?: Sent): Html {
  const wrong = sent?.problem.field === name
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}"${attributes} value="${sent ? sent.values.get(name) : value}"${
    wrong && html` aria-invalid="true" aria-describedby="${name}-problem"`
  }>
${wrong && html`<p class="wrong small" id="${name}-problem">${sentence(sent.problem.text)}</p>`}`
}

type Tick = { name: string; label: string; value?: string; checked?: boolean }

/** A box to tick: of its own for true and false, or with a value as one of a list. */
export const tick = ({ name, label, value = 'on', checked = false }: Tick, sent?: Sent): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${
    (sent ? sent.values.getAll(name).includes(value) : checked) && html` checked`
  }><span>${label}</span></label>`
