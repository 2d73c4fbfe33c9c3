import type { AppError } from '@/core/errors'
import { shownCode } from '@/modules/passes/passes/id'
import { type Html, html, type Piece } from '@/web/html'
import { loginPath } from '@/web/login'
import { LANGUAGES, type Language } from '@/words/language'
import { type Words, wordsIn } from '@/words/words'
import { AGAIN } from './again'
import { type Card, documentOf } from './document'
import { CLOCK, NOTHING, OFF, TAG } from './icons'

type Note = { status: number; title: string; icon: Html; text: Piece; below?: Piece; head?: Html }

/** A few words where there is no card to show. */
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

/** A tag that is nobody's yet. `formToken` is that of a signed-in person, who may claim it; a GET never does. */
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

/** Whether the owner switched it off or something else did is not for others to know. */
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
/** It asks for itself again when it may; `Retry-After` says the same to programs and is for the sender to add. */
export const tooFastPage = (words: Words, seconds = '1'): Card =>
  seconds === '1' ? TOO_FAST[words.language] : tooFast(seconds, words)

/** What a refusal of the tap looks like; undefined for one that is not about the pass. */
export function refusalPage(
  { status, headers }: Pick<AppError, 'status' | 'headers'>,
  words: Words,
): Card | undefined {
  if (status === 404) return unknownPassPage(words)
  if (status === 410) return notInUsePage(words)
  return status === 429 ? tooFastPage(words, headers['retry-after']) : undefined
}
