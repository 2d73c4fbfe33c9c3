import { AGENT_EXTRAS, effectiveScopes, type Scope } from '@/core/scopes'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { areasOf, bringerOf } from '../scope-words'
import { covers, unionOf } from '../scopes'
import type { Asked } from './check-request'

/** Up to so many stand in one list; more are easier to read in groups. */
const TOGETHER_MAX = 4

/** Each box has a name of its own: a field that is sent twice is refused. */
const fieldOf = (scope: Scope) => `scope.${scope}`

/** A person's last answer: the scopes that they allowed, and those that they left out. */
export type Before = { scopes: readonly string[]; declined: readonly string[] }

/** What is asked and offered, which boxes are ticked, and what a person may want to know of each. */
export type Choice = Pick<Asked, 'scopes' | 'extras'> & {
  ticked: readonly Scope[]
  before: Before | undefined
}

type Form = ReadonlyMap<string, string>

/**
 * The boxes as they are put to a person. What is asked for is ticked, but for what they left out before; what is only offered
 * is ticked if they allowed it before. On a page that comes back boxes are as the person left them; what has come on top is
 * put to them like the first time.
 */
export function choiceFor(asked: Asked, before: Before | undefined, left?: Left): Choice {
  const { scopes, extras, caller } = asked
  const shown = boxedOf(asked)
  const has = (scope: Scope) =>
    before !== undefined && covers(before.scopes, [scope], caller.role === 'admin')
  const isTicked = (scope: Scope) =>
    left?.shown.includes(scope)
      ? left.form.has(fieldOf(scope))
      : has(scope) || (scopes.includes(scope) && !before?.declined.includes(scope))
  return {
    scopes,
    extras,
    ticked: shown.filter(isTicked),
    before: before && { scopes: shown.filter(has), declined: before.declined },
  }
}

/** Every scope that has a box on the page. */
export const boxedOf = ({ scopes, extras }: Pick<Asked, 'scopes' | 'extras'>): Scope[] =>
  unionOf(scopes, extras)

/** A form that came back, and what it had been shown with. */
export type Left = { form: Form; shown: readonly string[] }

/**
 * A box for each scope that was asked for by name: who unticks the larger of two keeps the lesser. What stands alone is
 * not a matter of choice. What is only offered stands apart.
 */
export function choiceOf(choice: Choice, words: Words, problem?: string): Html {
  const { consent, scopes } = words.access
  const { scopes: lines, extras } = choice
  const [only] = lines
  if (lines.length === 1 && extras.length === 0 && only)
    return html`<p>${consent.one}</p>
<ul class="scopes"><li>${scopes[only]}${mark(only, choice, words)}</li></ul>
<input type="hidden" name="${fieldOf(only)}" value="on">`
  return html`<fieldset class="choice"${problem !== undefined && html` aria-describedby="problem"`}>
<legend>${consent.several}</legend>
${boxesOf(lines, choice, words)}
</fieldset>
${extras.length > 0 && offered(choice, words)}
${choice.before?.scopes.length && html`<p class="small">${consent.unticking}</p>`}`
}

/** What most people want of an agent is in sight, and all else behind a line to open. */
function offered(choice: Choice, words: Words): Html {
  const { extras, ticked } = choice
  const usual = extras.filter((scope) => AGENT_EXTRAS.includes(scope))
  const rest = extras.filter((scope) => !AGENT_EXTRAS.includes(scope))
  const isOpen = rest.some((scope) => ticked.includes(scope))
  return html`<fieldset class="choice"><legend>${words.access.consent.extras}</legend>
${boxesOf(usual, choice, words)}
${rest.length > 0 && html`<details${isOpen && html` open`}><summary>${words.access.consent.more}</summary>${boxesOf(rest, choice, words)}</details>`}
</fieldset>`
}

/** A long list stands in groups. */
function boxesOf(lines: readonly Scope[], choice: Choice, words: Words) {
  const groups = lines.length > TOGETHER_MAX ? areasOf(lines) : []
  const box = (scope: Scope) => boxOf(scope, choice, words)
  if (groups.length < 2) return lines.map(box)
  return groups.map(({ area, lines }) => html`<h2>${words.access.areas[area]}</h2>${lines.map(box)}`)
}

const boxOf = (scope: Scope, choice: Choice, words: Words) =>
  html`<label class="tick"><input type="checkbox" name="${fieldOf(scope)}"${choice.ticked.includes(scope) && html` checked`}><span>${words.access.scopes[scope]}${mark(scope, choice, words)}${comesWith(scope, choice, words)}</span></label>
`

/** To who was asked before, what is new stands out, and so does what they left out. */
function mark(scope: Scope, { before, extras }: Choice, { access: { consent } }: Words): Html | false {
  if (before === undefined || before.scopes.includes(scope)) return false
  if (before.declined.includes(scope)) return html` <strong class="small">${consent.leftOut}</strong>`
  return !extras.includes(scope) && html` <strong class="small">${consent.new}</strong>`
}

/** A box that another one ticks as well says so: unticking it alone would not keep it back. */
function comesWith(scope: Scope, choice: Choice, { access }: Words): Html | false {
  const bringer = bringerOf(scope, boxedOf(choice))
  return (
    bringer !== undefined &&
    html` <span class="quiet small">${access.consent.alsoPartOf(access.scopes[bringer])}</span>`
  )
}

/** The boxes that a person ticked, with what they imply of the others; and those that they left unticked. */
export function chosenOf(asked: Asked, form: Form) {
  const shown = boxedOf(asked)
  const ticked = shown.filter((scope) => form.has(fieldOf(scope)))
  const reached = effectiveScopes(ticked, asked.caller.role === 'admin')
  return {
    scopes: shown.filter((scope) => reached.has(scope)),
    declined: shown.filter((scope) => !reached.has(scope)),
  }
}
