import type { AppError } from '@/core/errors'
import type { Words } from '@/words/words'
import type { Page } from './layout'
import { LOGIN } from './login'
import { type Link, message, sentence } from './message'

const PASSES = new Set([429, 500, 503])

/** A refusal in words for people, on a page that leads `back`, or to the sign-in where that is what is missing. */
export function errorPage(error: AppError, words: Words, back?: Link): Page {
  const { status, headers } = error
  const { titles, otherTitle, advice, signInToGoOn, goToSignIn, goToFront, tryAgain } = words.errors
  const said = spoken(error, words)
  const more = back === undefined && advice[status]
  // An address of its own leads to the page that was asked for.
  const onward = PASSES.has(status) ? { href: '', label: tryAgain } : { href: '/', label: goToFront }
  return message({
    status,
    headers,
    title: titles[status] ?? otherTitle,
    above: back === undefined && status,
    // The usual sentence of a 401 speaks of tokens, to programs.
    text: status === 401 ? signInToGoOn : more ? `${sentence(said)} ${more}` : said,
    to: status === 401 ? { href: LOGIN, label: goToSignIn } : (back ?? onward),
  })
}

/** What a rule said, in the reader's language. */
export const spoken = ({ message: english, status }: AppError, { errors }: Words): string =>
  errors.said[english] ?? errors.unsaid[status] ?? english
