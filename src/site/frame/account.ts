import type { Visit } from '@/http/visit'
import { people } from '@/modules/people/users/cache'
import { face } from '@/site/parts/face'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import { signedIn } from '@/web/page'
import type { Words } from '@/words/words'

/** The corner for whoever could sign in. It is the same for all of them, so it cannot say where to come back to. */
export const strangerCorner = ({ frame }: Words): Html =>
  html`<a class="button plain small" href="${LOGIN}">${frame.signIn}</a>`

/** Reads the person whose menu is to be shown. */
export function arrival(userId: string): Promise<unknown> | undefined {
  const person = people.get(userId)
  return person instanceof Promise ? person : undefined
}

export const savedZone = (visit: Visit): string | null =>
  people.peek(signedIn(visit).userId)?.timeZone ?? null

/** A person's own menu. Who it is was read on arrival; whoever could not be read, or changed since, is not named. */
export function accountCorner(visit: Visit, { frame }: Words): Html {
  const { userId, role } = signedIn(visit)
  const person = people.peek(userId)
  const name = person?.name ?? frame.yourAccount
  // A popover closes by Escape and by a click elsewhere without a script.
  return html`<div class="menu">
<button type="button" popovertarget="account" aria-label="${frame.yourAccount}">${face({ id: userId, name, avatarUrl: person?.avatarUrl ?? null }, 'small')}</button>
<nav id="account" popover aria-label="${frame.yourAccount}"><p class="who" dir="auto">${name}</p>
<ul role="list">
${person?.username && html`<li><a href="/u/${person.username}">${frame.yourProfile}</a></li>`}
<li><a href="/settings/passes">${frame.yourPass}</a></li>
<li><a href="/settings">${frame.settings}</a></li>
<li><a href="/manage">${frame.manage}</a></li>
<li><a href="/developer">${frame.developer}</a></li>
${role === 'admin' && html`<li><a href="/admin">${frame.admin}</a></li>`}
</ul>
<form method="post" action="/auth/logout"><button class="link" type="submit">${frame.signOut}</button></form>
</nav>
</div>`
}
