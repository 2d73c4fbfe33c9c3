import type { AppError } from '@/core/errors'
import { shownCode } from '@/modules/passes/passes/id'
import { type Html, html, type Piece } from '@/web/html'
import { loginPath } from '@/web/login'
import { LANGUAGES, type Language } from '@/words/language'
import { type Words, wordsIn } from '@/words/words'
import { type Card, documentOf } from './document'

const icon = (path: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`

export const CHECK = icon('M4 12.5 9.5 18 20 6.5')
export const SAVE = icon('M12 3v12m-5-5 5 5 5-5M4 20h16')
export const PLUS = icon('M12 5v14M5 12h14')
export const LINKED = icon(
  'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7m2 3a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
)
export const TAG = icon('M6 9a4.5 4.5 0 0 1 0 6M10 6.5a9 9 0 0 1 0 11M14 4a13.5 13.5 0 0 1 0 16')
export const NOTHING = icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 5 5')
export const OFF = icon('M12 3v8M6.5 6.5a8 8 0 1 0 11 0')
export const CLOCK = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4v5l3 2')

/** Query of the automatic retry after a rate limit. */
export const AGAIN = 'again'

type Note = { status: number; title: string; icon: Html; text: Piece; below?: Piece; head?: Html }

const note = (words: Words, { status, title, icon, text, below, head }: Note): Card =>
  documentOf(status, words, {
    title,
    head,
    theme: 'forest',
    layout: 'note',
    main: html`${icon}
<h1>${title}</h1>
<p>${text}</p>
${below}`,
  })

/** A blank tag. `formToken` is set if the visitor may claim it; GET never claims. */
export function blankTagPage(id: string, formToken: Html | null, words: Words): Card {
  const said = words.passes
  const signIn = loginPath(`/pass/${id}`)
  return note(words, {
    status: 200,
    title: said.newTag,
    icon: TAG,
    text: formToken === null ? said.nobodysSignIn : said.nobodys,
    below: [
      formToken === null
        ? html`<a class="button first" href="${signIn}">${said.signInAndClaim}</a>`
        : html`<form method="post" action="/pass/${id}/claim">${formToken}<button class="button first">${said.claim}</button></form>`,
      html`\n<p class="code">${shownCode(id)}</p>`,
    ],
  })
}

const inEach = (make: (words: Words) => Card): Record<Language, Card> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(wordsIn(language))])) as Record<
    Language,
    Card
  >

const UNKNOWN = inEach((words) =>
  note(words, {
    status: 404,
    title: words.passes.unknown,
    icon: NOTHING,
    text: words.passes.unknownText,
  }),
)

/** Does not reveal whether the owner paused the pass or was suspended. */
const NOT_IN_USE = inEach((words) =>
  note(words, {
    status: 410,
    title: words.passes.notInUse,
    icon: OFF,
    text: words.passes.notInUseText,
  }),
)

const tooFast = (seconds: string, words: Words): Card =>
  note(words, {
    status: 429,
    title: words.passes.tooFast,
    icon: CLOCK,
    text: words.passes.tooFastText,
    below: html`<a class="button" href="?${AGAIN}">${words.passes.tryNow}</a>`,
    head: html`\n<meta http-equiv="refresh" content="${seconds};url=?${AGAIN}">`,
  })

const TOO_FAST = inEach((words) => tooFast('1', words))

export const unknownPassPage = ({ language }: Words): Card => UNKNOWN[language]
export const notInUsePage = ({ language }: Words): Card => NOT_IN_USE[language]
/** Refreshes itself after the wait; the sender adds `Retry-After`. */
export const tooFastPage = (words: Words, seconds = '1'): Card =>
  seconds === '1' ? TOO_FAST[words.language] : tooFast(seconds, words)

/** Undefined for errors that are not about the pass. */
export function refusalPage(
  { status, headers }: Pick<AppError, 'status' | 'headers'>,
  words: Words,
): Card | undefined {
  if (status === 404) return unknownPassPage(words)
  if (status === 410) return notInUsePage(words)
  return status === 429 ? tooFastPage(words, headers['retry-after']) : undefined
}
