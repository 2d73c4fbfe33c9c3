import type { PublicUserList } from '@/modules/account/profiles/schema'
import { excerpt } from '@/web/excerpt'
import { type Html, html } from '@/web/html'
import { face } from './face'
import type { Known } from './known-people'

const BADGES = 6

/** A person with a few words about them and what they hold. */
export const personTile = (person: Known<PublicUserList>): Html =>
  html`<li><article class="tile ${person.themeColor ?? ''}"><div class="about">${face(person)}
<div><h3 dir="auto"><a href="/u/${person.username}">${person.name}</a></h3>
<p class="quiet small"><bdi>@${person.username}</bdi>${person.location && html` · <bdi>${person.location}</bdi>`}</p>
${person.bio && html`<p class="small bio" dir="auto">${excerpt(person.bio, 110)}</p>\n`}${
  person.badges.length > 0 &&
  html`<p class="icons" role="img" aria-label="${person.badges.map(({ name }) => name).join(', ')}">${person.badges
    .slice(0, BADGES)
    .map(({ icon, name }) => html`<span title="${name}">${icon}</span>`)}</p>`
}</div></div></article></li>
`
