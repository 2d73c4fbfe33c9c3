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

export type Back = Link | ((words: Words) => Link)

/**
 * An error page with a link `back`, or to the sign-in if that is missing. Includes a form that could not be processed, to send it
 * again.
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
  // An empty href reloads the same address.
  const onward = PASSES.has(status) ? { href: '', label: tryAgain } : { href: '/', label: goToFront }
  return message({
    status,
    headers: seconds === undefined ? headers : { ...headers, refresh: seconds },
    title: titles[status] ?? otherTitle,
    above: back === undefined && status,
    // The usual 401 message is about tokens, for programs.
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
 * Seconds until the page reloads itself after a transient error. A header, so that nothing moves under the reader, and only for
 * requests that are safe to repeat.
 */
const secondsUntilRetry = ({ request }: Visit, { status, headers }: AppError): string | undefined =>
  (status === 429 || status === 503) && mayNavigate(request) ? headers['retry-after'] : undefined

/** An error message in the reader's language. */
export const spoken = ({ message: english, status }: AppError, { errors }: Words): string =>
  translated(english, errors) ?? errors.unsaid[status] ?? english

/** Translates a sentence, or part of one, by its English text; sentences with values match by pattern. */
export function translated(english: string, { said, saidWith }: Words['errors']): string | undefined {
  const known = said[english]
  if (known !== undefined) return known
  for (const [pattern, say] of saidWith) {
    const found = pattern.exec(english)
    if (found) return say(...found.slice(1))
  }
  return undefined
}
