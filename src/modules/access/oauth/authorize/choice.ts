import { AGENT_EXTRAS, effectiveScopes, type Scope } from '@/core/scopes'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { covers, unionOf } from '../parameters'
import { areasOf, implyingScope } from '../scope-words'
import type { Asked } from './check-request'

/** Up to this number one list; more are grouped. */
const TOGETHER_MAX = 4

/** A unique field per box, because repeated fields are refused. */
const fieldOf = (scope: Scope) => `scope.${scope}`

/** A person's last answer: allowed and declined scopes. */
export type Before = { scopes: readonly string[]; declined: readonly string[] }

/** Requested and offered scopes, which are ticked, and details on each. */
export type Choice = Pick<Asked, 'scopes' | 'extras'> & {
  ticked: readonly Scope[]
  before: Before | undefined
}

type Form = ReadonlyMap<string, string>

/**
 * The boxes for a person. Requested scopes are ticked unless declined before; offered ones only if allowed before. A re-rendered
 * page keeps the person's ticks; new scopes start as on the first page.
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

export const boxedOf = ({ scopes, extras }: Pick<Asked, 'scopes' | 'extras'>): Scope[] =>
  unionOf(scopes, extras)

/** A re-submitted form, with the scopes it showed. */
export type Left = { form: Form; shown: readonly string[] }

/** A box per requested scope: unticking the larger of two keeps the lesser. A single scope has no box. Offers are separate. */
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

/** Common offers are visible, the others folded. */
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

function boxesOf(lines: readonly Scope[], choice: Choice, words: Words) {
  const groups = lines.length > TOGETHER_MAX ? areasOf(lines) : []
  const box = (scope: Scope) => boxOf(scope, choice, words)
  if (groups.length < 2) return lines.map(box)
  return groups.map(({ area, lines }) => html`<h2>${words.access.areas[area]}</h2>${lines.map(box)}`)
}

const boxOf = (scope: Scope, choice: Choice, words: Words) =>
  html`<label class="tick"><input type="checkbox" name="${fieldOf(scope)}"${choice.ticked.includes(scope) && html` checked`}><span>${words.access.scopes[scope]}${mark(scope, choice, words)}${comesWith(scope, choice, words)}</span></label>
`

/** Marks new and previously declined scopes for returning people. */
function mark(scope: Scope, { before, extras }: Choice, { access: { consent } }: Words): Html | false {
  if (before === undefined || before.scopes.includes(scope)) return false
  if (before.declined.includes(scope)) return html` <strong class="small">${consent.leftOut}</strong>`
  return !extras.includes(scope) && html` <strong class="small">${consent.new}</strong>`
}

/** Marks a box that another one implies: unticking it alone has no effect. */
function comesWith(scope: Scope, choice: Choice, { access }: Words): Html | false {
  const implying = implyingScope(scope, boxedOf(choice))
  return (
    implying !== undefined &&
    html` <span class="quiet small">${access.consent.alsoPartOf(access.scopes[implying])}</span>`
  )
}

/** The ticked scopes with what they imply, and the unticked ones. */
export function chosenOf(asked: Asked, form: Form) {
  const shown = boxedOf(asked)
  const ticked = shown.filter((scope) => form.has(fieldOf(scope)))
  const reached = effectiveScopes(ticked, asked.caller.role === 'admin')
  return {
    scopes: shown.filter((scope) => reached.has(scope)),
    declined: shown.filter((scope) => !reached.has(scope)),
  }
}
