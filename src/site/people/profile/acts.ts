import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { follows } from '@/modules/people/follows/cache'
import { visiblePerson } from '@/modules/people/users/visible'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import type { Asked } from '@/web/open-page'
import { personOf } from '@/web/page'
import type { Slots } from '@/web/slots'
import type { Words } from '@/words/words'

export const actsForStrangers = ({ people }: Words): Html =>
  html`<section class="card"><a class="button wide first" href="${LOGIN}">${people.follow}</a>
<p class="quiet small after">${people.followNote}</p></section>`

/** Follow or unfollow; on the own profile, edit. */
export async function ownActs(visit: Visit, { params, words }: Asked): Promise<Slots> {
  const caller = personOf(visit) as Caller
  const { people } = words
  const person = await visiblePerson(caller, params.username as string)
  if (person.id === caller.userId)
    return {
      acts: html`<section class="card"><p>${people.thisIsYou}</p>
<p><a class="button wide" href="/settings/profile">${people.edit}</a></p>
<p><a class="button plain wide" href="/settings/passes">${people.yourPass}</a></p></section>`,
    }
  const press = (deed: string, label: string, kind: string) =>
    html`<form method="post" action="?do=${deed}">${formToken(caller)}<button class="button ${kind}">${label}</button></form>`
  return {
    acts: html`<section class="card">${
      (await follows(caller, person.id))
        ? html`<div class="joined"><strong>✓ ${people.following}</strong>${press('unfollow', people.unfollow, 'plain small')}</div>`
        : html`${press('follow', people.follow, 'wide first')}
<p class="quiet small after">${people.followNote}</p>`
    }</section>`,
  }
}
