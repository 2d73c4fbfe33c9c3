import type { AppError } from '@/core/errors'
import type { Page } from './layout'
import { SIGN_IN } from './login'
import { type Link, message, sentence } from './message'

const TITLES: Record<number, string> = {
  401: 'You are not signed in',
  403: 'This cannot be done',
  404: 'There is nothing here',
  410: 'This does not work any more',
  429: 'Please wait a moment',
  503: 'Please try again in a moment',
}

/** What people can do about it, where no page is known that they came from. */
const ADVICE: Record<number, string> = {
  404: 'The address may be mistyped, or what was here has been moved or deleted.',
  429: 'Nothing is lost.',
  503: 'Nothing is lost.',
}

const FRONT: Link = { href: '/', label: 'Go to the front page' }
/** Leads to the address that the page was asked for with. */
const AGAIN: Link = { href: '', label: 'Try again' }
const PASSES = new Set([429, 500, 503])

/** A refusal in words for people, on a page that leads `back`, or to the sign-in where that is what is missing. */
export function errorPage({ status, message: said, headers }: AppError, back?: Link): Page {
  const advice = back === undefined && ADVICE[status]
  return message({
    status,
    headers,
    title: TITLES[status] ?? 'That did not work',
    above: back === undefined && status,
    // The usual sentence of a 401 speaks of tokens, to programs.
    text: status === 401 ? 'Sign in to go on' : advice ? `${sentence(said)} ${advice}` : said,
    to: status === 401 ? SIGN_IN : (back ?? (PASSES.has(status) ? AGAIN : FRONT)),
  })
}
