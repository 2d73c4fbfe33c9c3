import { effectiveScopes, type Scope } from '@/core/scopes'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { areasOf, bringerOf } from '../scope-words'
import { covers } from '../scopes'
import type { Asked } from './check-request'

/** Up to so many stand in one list; more are easier to read in groups. */
const TOGETHER_MAX = 4

/** Each box has a name of its own: a field that is sent twice is refused. */
const fieldOf = (scope: Scope) => `scope.${scope}`

/** A person's last answer: the scopes that they allowed, and those that they left out. */
export type Before = { scopes: readonly string[]; declined: readonly string[] }

/** What is asked, which boxes are ticked, and what a person may want to know of each. */
export type Choice = { scopes: readonly Scope[]; ticked: readonly Scope[]; before: Before | undefined }

type Form = ReadonlyMap<string, string>

/**
 * The boxes as they are put to a person: ticked, but for what they left out before. On a page that comes back they are
 * as the person left them; what has come on top is put to them like the first time.
 */
export function choiceFor({ scopes, caller }: Asked, before: Before | undefined, left?: Left): Choice {
  const has = (scope: Scope) =>
    before !== undefined && covers(before.scopes, [scope], caller.role === 'admin')
  const isTicked = (scope: Scope) =>
    left?.shown.includes(scope)
      ? left.form.has(fieldOf(scope))
      : has(scope) || !before?.declined.includes(scope)
  return {
    scopes,
    ticked: scopes.filter(isTicked),
    before: before && { scopes: scopes.filter(has), declined: before.declined },
  }
}

/** A form that came back, and what it had been shown with. */
export type Left = { form: Form; shown: readonly string[] }

/**
 * A box for each scope that was asked for by name: who unticks the larger of two keeps the lesser. What stands alone is
 * not a matter of choice.
 */
export function choiceOf(choice: Choice, words: Words, problem?: string): Html {
  const { consent, scopes, areas } = words.access
  const lines = choice.scopes
  const [only] = lines
  if (lines.length === 1 && only)
    return html`<p>${consent.one}</p>
<ul class="scopes"><li>${scopes[only]}${mark(only, choice, words)}</li></ul>
<input type="hidden" name="${fieldOf(only)}" value="on">`
  const groups = lines.length > TOGETHER_MAX ? areasOf(lines) : []
  const box = (scope: Scope) => boxOf(scope, choice, words)
  return html`<fieldset class="choice"${problem !== undefined && html` aria-describedby="problem"`}>
<legend>${consent.several}</legend>
${groups.length > 1 ? groups.map(({ area, lines }) => html`<h2>${areas[area]}</h2>${lines.map(box)}`) : lines.map(box)}
</fieldset>
${choice.before?.scopes.length && html`<p class="small">${consent.unticking}</p>`}`
}

const boxOf = (scope: Scope, choice: Choice, words: Words) =>
  html`<label class="tick"><input type="checkbox" name="${fieldOf(scope)}"${choice.ticked.includes(scope) && html` checked`}><span>${words.access.scopes[scope]}${mark(scope, choice, words)}${comesWith(scope, choice, words)}</span></label>
`

/** To who was asked before, what is new stands out, and so does what they left out. */
function mark(scope: Scope, { before }: Choice, { access: { consent } }: Words): Html | false {
  if (before === undefined || before.scopes.includes(scope)) return false
  return html` <strong class="small">${before.declined.includes(scope) ? consent.leftOut : consent.new}</strong>`
}

/** A box that another one ticks as well says so: unticking it alone would not keep it back. */
function comesWith(scope: Scope, { scopes }: Choice, { access }: Words): Html | false {
  const bringer = bringerOf(scope, scopes)
  return (
    bringer !== undefined &&
    html` <span class="quiet small">${access.consent.alsoPartOf(access.scopes[bringer])}</span>`
  )
}

/** What a person left ticked, with what that brings along of what was asked; and what they took out. */
export function chosenOf({ scopes, caller }: Asked, form: Form) {
  const ticked = scopes.filter((scope) => form.has(fieldOf(scope)))
  const reached = effectiveScopes(ticked, caller.role === 'admin')
  return {
    scopes: scopes.filter((scope) => reached.has(scope)),
    declined: scopes.filter((scope) => !reached.has(scope)),
  }
}
