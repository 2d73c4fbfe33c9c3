import type { AppError } from '@/core/errors'
import { shownCode } from '@/modules/passes/passes/id'
import { type Html, html, type Piece } from '@/web/html'
import { loginPath } from '@/web/login'
import { AGAIN } from './again'
import { type Card, documentOf } from './document'
import { CLOCK, NOTHING, OFF, TAG } from './icons'

type Note = { status: number; title: string; icon: Html; text: Piece; below?: Piece; head?: Html }

/** A few words where there is no card to show. */
const note = ({ status, title, icon, text, below, head }: Note): Card =>
  documentOf(status, {
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
export function blankTagPage(id: string, formToken: Html | null): Card {
  const signIn = loginPath(`/pass/${id}`)
  return note({
    status: 200,
    title: 'A new tag',
    icon: TAG,
    text:
      formToken === null
        ? 'This tag is nobody’s yet. Sign in to make it yours: from then on, whoever taps it sees your card.'
        : 'This tag is nobody’s yet. Make it yours: from then on, whoever taps it sees your card.',
    below: [
      formToken === null
        ? html`<a class="button first" href="${signIn}">Sign in and claim it</a>`
        : html`<form method="post" action="/pass/${id}/claim">${formToken}<button class="button first">Claim this tag</button></form>`,
      html`\n<p class="code">${shownCode(id)}</p>`,
    ],
  })
}

const UNKNOWN = note({
  status: 404,
  title: 'No such pass',
  icon: NOTHING,
  text: 'Nobody has a pass with this address. It may be mistyped, or its owner replaced it by a new one: ask them for that.',
})

/** Whether the owner switched it off or something else did is not for others to know. */
const NOT_IN_USE = note({
  status: 410,
  title: 'This pass is not in use',
  icon: OFF,
  text: 'It shows nothing at the moment. If it belongs to somebody you know, ask them.',
})

const tooFast = (seconds: string): Card =>
  note({
    status: 429,
    title: 'One moment',
    icon: CLOCK,
    text: 'Many taps at once. This page tries again by itself.',
    below: html`<a class="button" href="?${AGAIN}">Try again now</a>`,
    head: html`\n<meta http-equiv="refresh" content="${seconds};url=?${AGAIN}">`,
  })

const TOO_FAST = tooFast('1')

export const unknownPassPage = (): Card => UNKNOWN
export const notInUsePage = (): Card => NOT_IN_USE
/** It asks for itself again when it may; `Retry-After` says the same to programs and is for the sender to add. */
export const tooFastPage = (seconds = '1'): Card => (seconds === '1' ? TOO_FAST : tooFast(seconds))

/** What a refusal of the tap looks like; undefined for one that is not about the pass. */
export function refusalPage({ status, headers }: Pick<AppError, 'status' | 'headers'>): Card | undefined {
  if (status === 404) return UNKNOWN
  if (status === 410) return NOT_IN_USE
  return status === 429 ? tooFastPage(headers['retry-after']) : undefined
}
