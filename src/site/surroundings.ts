import type { Visit } from '@/http/visit'
import { people } from '@/modules/people/users/cache'
import { face } from '@/site/parts/person'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import { signedIn } from '@/web/page'
import type { SettingsPage } from '@/web/settings'
import type { Section, Surroundings } from '@/web/surroundings'
import { LANGUAGES, type Language, OWN_NAMES } from '@/words/language'
import type { Words } from '@/words/words'
import { manifestLinks } from './found/manifest'
import { PATH } from './frame/language'
import { PAGES, settingsPath } from './settings/addresses'

/** On a desktop all pages of settings; on a phone the way up to the overview, which lists them. */
const settingsNavigation = ({ settings }: Words, here: SettingsPage): Html =>
  html`<nav class="side" aria-label="${settings.title}"><ul role="list">${PAGES.map(
    (page) =>
      html`<li><a href="${settingsPath(page)}"${page === here && html` aria-current="page"`}>${settings.pages[page]}</a></li>`,
  )}</ul></nav>${
    here !== 'overview' &&
    html`\n<p class="up"><a href="${settingsPath('overview')}">${settings.back}</a></p>`
  }`

const SECTIONS = [
  ['events', '/events'],
  ['groups', '/groups'],
  ['people', '/people'],
  ['badges', '/badges'],
  ['leaderboard', '/leaderboard'],
] as const

const navigation = ({ frame }: Words, section: Section | undefined): Html =>
  html`<nav class="sections" aria-label="${frame.main}"><ul role="list">${SECTIONS.map(
    ([name, path]) =>
      html`<li><a href="${path}"${section === name && html` aria-current="page"`}>${frame[name]}</a></li>`,
  )}</ul></nav>`

/** The footer, with the choice of language. */
const foot = ({ frame, language }: Words, path: string | undefined): Html => html`
<nav aria-label="${frame.about}"><ul role="list">
<li><a href="/about">${frame.about}</a></li>
<li><a href="/terms">${frame.terms}</a></li>
<li><a href="/privacy">${frame.privacy}</a></li>
<li><a href="/feeds/events.ics">${frame.calendar}</a></li>
<li><a href="/docs">${frame.api}</a></li>
</ul></nav>
${path !== undefined && languages(frame, language, path)}
<p class="made">${frame.madeWith} Folkmoot. ${frame.emoji} <a href="https://github.com/jdecked/twemoji" title="${TWEMOJI_AUTHORS}">Twemoji</a>, <a href="https://creativecommons.org/licenses/by/4.0/" rel="license">CC BY 4.0</a></p>
`

/** The emoji licence requires attribution. */
const TWEMOJI_AUTHORS = '© Twitter and contributors, Jason Sofonia and Justine De Caires'

const languages = (frame: Words['frame'], language: Language, path: string): Html =>
  html`<form class="languages" method="post" action="${PATH}" aria-label="${frame.language}"><input type="hidden" name="back" value="${path}">
${LANGUAGES.map((one) =>
  one === language
    ? html`<span lang="${one}" aria-current="true">${OWN_NAMES[one]}</span>`
    : html`<button class="link" name="to" value="${one}" lang="${one}">${OWN_NAMES[one]}</button>`,
)}</form>`

/** The visitors' corner. Shared by all, so it cannot have a return address. */
const visitorCorner = ({ frame }: Words): Html =>
  html`<a class="button plain small" href="${LOGIN}">${frame.signIn}</a>`

async function preloadPerson(userId: string): Promise<void> {
  await people.get(userId)
}

const savedZone = (visit: Visit): string | null => people.peek(signedIn(visit).userId)?.timeZone ?? null

/** The account menu. The person was preloaded; one that failed to load, or changed since, is not named. */
function accountCorner(visit: Visit, { frame }: Words): Html {
  const { userId, role } = signedIn(visit)
  const person = people.peek(userId)
  const name = person?.name ?? frame.yourAccount
  // A popover closes by Escape and by a click elsewhere without script.
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

export const surroundings: Surroundings = {
  head: () => manifestLinks,
  navigation,
  preloadPerson,
  account: accountCorner,
  zone: savedZone,
  stranger: visitorCorner,
  foot,
  settings: settingsNavigation,
}
