import { effectiveScopes, type Scope } from '@/core/scopes'
import { type Html, html } from '@/web/html'
import { areasOf, linesOf, wordsFor } from '../scope-words'
import type { Asked } from './examine'

/** Up to so many stand in one list; more are easier to read in groups. */
const TOGETHER_MAX = 4

/** Each box has a name of its own: a field that is sent twice is refused. */
const fieldOf = (scope: Scope) => `scope.${scope}`

/** Boxes for what is asked, all ticked. What stands alone is not a matter of choice. */
export function choiceOf(scopes: readonly Scope[], problem?: string): Html {
  const lines = linesOf(scopes)
  const [only] = lines
  if (lines.length === 1 && only)
    return html`<p>If you allow it, it may act for you and:</p>
<ul class="scopes"><li>${wordsFor(only)}</li></ul>
<input type="hidden" name="${fieldOf(only)}" value="on">`
  const groups = lines.length > TOGETHER_MAX ? areasOf(scopes) : []
  return html`<fieldset class="choice"${problem !== undefined && html` aria-describedby="problem"`}>
<legend>If you allow it, it may act for you and do what is ticked:</legend>
${groups.length > 1 ? groups.map(({ area, lines }) => html`<h2>${area}</h2>${lines.map(box)}`) : lines.map(box)}
</fieldset>`
}

const box = (scope: Scope) =>
  html`<label class="tick"><input type="checkbox" name="${fieldOf(scope)}" checked><span>${wordsFor(scope)}</span></label>
`

/** What a person left ticked, with what that brings along of what was asked; and what they took out. */
export function chosenOf({ scopes, caller }: Asked, form: ReadonlyMap<string, string>) {
  const ticked = scopes.filter((scope) => form.has(fieldOf(scope)))
  const reached = effectiveScopes(ticked, caller.role === 'admin')
  return {
    scopes: scopes.filter((scope) => reached.has(scope)),
    declined: linesOf(scopes).filter((scope) => !reached.has(scope)),
  }
}
