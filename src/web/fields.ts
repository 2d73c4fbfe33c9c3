import type { Sent } from './form'
import { momentName } from './form-input'
import { type Html, html, type Piece } from './html'
import { clockIn } from './local-time'
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

type Field = {
  name: string
  label: string
  /** A hint below the label. */
  hint?: Piece
  /** The element id, if two forms have a field with the same name. */
  id?: string
  /** More attributes, such as html` required maxlength="80"`. */
  attributes?: Html
}

type Line = Field & {
  type?: 'text' | 'email' | 'url' | 'number' | 'search' | 'date' | 'datetime-local' | 'color'
  /** The initial value. */
  value?: string | number | null
}

/** A text input. A re-rendered form shows the input, with the error below. */
export const line = ({ type = 'text', value, ...field }: Line, sent?: Sent): Html =>
  labelled(
    field,
    sent,
    (names, marks) =>
      html`<input${names} type="${type}"${field.attributes} value="${held(field, value, sent)}"${marks}>`,
  )

type Moment = Field & { zone: string; value?: string | null }

/** A time in a zone, which the form sends as `timezone`. */
export const moment = ({ zone, value, ...field }: Moment, sent?: Sent): Html =>
  html`${line({ ...field, type: 'datetime-local', value: value && clockIn(zone, value) }, sent)}${
    value && html`<input type="hidden" name="${momentName(field.name)}" value="${value}">`
  }`

type Area = Field & { value?: string | null; rows?: number }

export const area = ({ value, rows = 4, ...field }: Area, sent?: Sent): Html =>
  labelled(
    field,
    sent,
    // Browsers drop the first line break of a textarea, so one is added.
    (names, marks) =>
      html`<textarea${names} rows="${rows}" dir="auto"${field.attributes}${marks}>\n${held(field, value, sent)}</textarea>`,
  )

export type Option = { value: string; label: string }
type Choice = Field & { options: readonly Option[]; value?: string | null }

/** A select element. */
export const choice = ({ options, value, ...field }: Choice, sent?: Sent): Html =>
  labelled(
    field,
    sent,
    (names, marks) =>
      html`<select${names}${field.attributes}${marks}>${options.map(
        (option) =>
          html`<option value="${option.value}"${
            option.value === (held(field, value, sent) ?? '') && html` selected`
          }>${option.label}</option>`,
      )}</select>`,
  )

type Radio = Pick<Field, 'name' | 'label' | 'hint'> & {
  options: readonly (Option & { hint?: Piece })[]
  value?: string | null
}

/** Radio buttons. An error links to the first of them. */
export function radio({ name, label, hint, options, value }: Radio, sent?: Sent): Html {
  const chosen = held({ name }, value, sent) ?? ''
  const wrong = sent?.problem.field === name
  return html`<fieldset class="choice"${wrong && html` aria-describedby="${name}-problem"`}>
<legend>${label}</legend>
${hint && html`<p class="small quiet">${hint}</p>\n`}${options.map(
  (option, place) =>
    html`<label class="tick"><input type="radio"${place === 0 && html` id="${name}"`} name="${name}" value="${option.value}"${
      option.value === chosen && html` checked`
    }><span>${option.label}${option.hint && html`<br><span class="small quiet">${option.hint}</span>`}</span></label>\n`,
)}${wrong && problem(name, sent.problem.text)}</fieldset>`
}

type Tick = { name: string; label: string; value?: string; checked?: boolean; hint?: Piece }

/** A checkbox: a boolean, or with `value` one of a list. */
export const tick = ({ name, label, value = 'on', checked = false, hint }: Tick, sent?: Sent): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${
    (sent ? sent.values.getAll(name).includes(value) : checked) && html` checked`
  }><span>${label}${hint && html`<br><span class="small quiet">${hint}</span>`}</span></label>`

/** The submitted value, or the initial one. */
const held = <Value>({ name }: { name: string }, value: Value, sent: Sent | undefined) =>
  sent ? sent.values.get(name) : value

/** Wraps a field with its label above and its error below. */
function labelled(
  { name, id = name, label, hint }: Field,
  sent: Sent | undefined,
  element: (names: Html, marks: Html) => Html,
): Html {
  const wrong = sent?.problem.field === name
  const about = [hint ? `${id}-hint` : '', wrong ? `${id}-problem` : ''].filter(Boolean).join(' ')
  const marks = html`${wrong && html` aria-invalid="true"`}${about !== '' && html` aria-describedby="${about}"`}`
  return html`<label for="${id}">${label}</label>
${hint && html`<p class="hint small quiet" id="${id}-hint">${hint}</p>\n`}${element(
  html` id="${id}" name="${name}"`,
  marks,
)}
${wrong && problem(id, sent.problem.text)}`
}

const problem = (id: string, text: string): Html =>
  html`<p class="wrong small" id="${id}-problem">${sentence(text)}</p>`
