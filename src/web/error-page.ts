import type { AppError } from '@/core/errors'
import { mayNavigate } from '@/http/accept'
import type { Visit } from '@/http/visit'
import type { Words } from '@/words/words'
import { type Html, html } from './html'
import { wordsFor } from './language'
import type { Page } from './layout'
import { LOGIN } from './login'
import { type Link, message, sentence } from './message'

const PASSES = new Set([429, 500, 503])

/** Where a refusal leads, in any language. */
export type Back = Link | ((words: Words) => Link)

/**
 * A refusal in words for people, on a page that leads `back`, or to the sign-in where that is what is missing. A form that
 * could not be sent is on it, to be sent once more.
 */
export function errorPage(visit: Visit, error: AppError, back?: Back, unsent?: Html): Page {
  const { status, headers } = error
  const words = wordsFor(visit)
  const { titles, otherTitle, advice, signInToGoOn, goToSignIn, goToFront, tryAgain, kept } = words.errors
  const said = spoken(error, words)
  const seconds = secondsUntilRetry(visit, error)
  const more = unsent
    ? kept.unsent
    : seconds === undefined
      ? back === undefined && advice[status]
      : words.errors.triesItself
  // An address of its own leads to the page that was asked for.
  const onward = PASSES.has(status) ? { href: '', label: tryAgain } : { href: '/', label: goToFront }
  return message({
    status,
    headers: seconds === undefined ? headers : { ...headers, refresh: seconds },
    title: titles[status] ?? otherTitle,
    above: back === undefined && status,
    // The usual sentence of a 401 speaks of tokens, to programs.
    text: status === 401 ? signInToGoOn : more ? `${sentence(said)} ${more}` : said,
    below:
      status === 500 && html`<p class="quiet small">${words.errors.request} <code>${visit.id}</code></p>`,
    to:
      status === 401
        ? { href: LOGIN, label: goToSignIn }
        : (unsent ?? (typeof back === 'function' ? back(words) : back) ?? onward),
  })
}

/**
 * After how many seconds the page asks for itself again: what passes by itself is not for people to repeat. It is a header, so
 * that nothing in the page moves under whoever reads it, and only for what can be asked again.
 */
const secondsUntilRetry = ({ request }: Visit, { status, headers }: AppError): string | undefined =>
  (status === 429 || status === 503) && mayNavigate(request) ? headers['retry-after'] : undefined

/** What a rule said, in the reader's language. */
export const spoken = ({ message: english, status }: AppError, { errors }: Words): string =>
  translated(english, errors) ?? errors.unsaid[status] ?? english

/** A sentence, or a part of one, by its English words; those that hold a value are known by a pattern. */
export function translated(english: string, { said, saidWith }: Words['errors']): string | undefined {
  const known = said[english]
  if (known !== undefined) return known
  for (const [pattern, say] of saidWith) {
    const found = pattern.exec(english)
    if (found) return say(...found.slice(1))
  }
  return undefined
}
