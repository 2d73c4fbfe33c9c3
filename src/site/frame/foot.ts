import { type Html, html } from '@/web/html'
import { LANGUAGES, type Language, OWN_NAMES } from '@/words/language'
import type { Words } from '@/words/words'
import { PATH } from './language'

/** Where to read on, and in which language. */
export const foot = ({ frame, language }: Words, path: string | undefined): Html => html`
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

/** The licence of the pictures of badges asks for their names. */
const TWEMOJI_AUTHORS = '© Twitter and contributors, Jason Sofonia and Justine De Caires'

const languages = (frame: Words['frame'], language: Language, path: string): Html =>
  html`<form class="languages" method="post" action="${PATH}" aria-label="${frame.language}"><input type="hidden" name="back" value="${path}">
${LANGUAGES.map((one) =>
  one === language
    ? html`<span lang="${one}" aria-current="true">${OWN_NAMES[one]}</span>`
    : html`<button class="link" name="to" value="${one}" lang="${one}">${OWN_NAMES[one]}</button>`,
)}</form>`
