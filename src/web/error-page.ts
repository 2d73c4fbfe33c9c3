import type { AppError } from '@/core/errors'
import { refusals, THINGS } from '@/core/refusals'
import { mayNavigate } from '@/http/accept'
import type { Visit } from '@/http/visit'
import { missing } from '@/words/en/refusals'
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
export const spoken = ({ message: english, status }: AppError, words: Words): string =>
  translated(english, words) ?? words.errors.unsaid[status] ?? english

const KEYS = Object.keys(refusals) as (keyof typeof refusals)[]
const BY_SENTENCE = new Map(KEYS.map((key) => [refusals[key], key]))
const THING_BY_SENTENCE = new Map(THINGS.map((thing) => [missing[thing], thing]))

/** Patterns of the sentences with a value, which `(.+?)` finds. */
const PATTERNS = KEYS.flatMap((key) => {
  const say = refusals[key]
  if (typeof say === 'string') return []
  const [head = '', ...rest] = say('\0').split('\0').map(RegExp.escape)
  return [[new RegExp(`^${[head, ...rest].join('(.+?)')}$`), key] as const]
})

/** Translates a sentence of a refusal, or a reason that a schema composed. Rows of failed jobs hold sentences, so the text is the key. */
export function translated(english: string, words: Words): string | undefined {
  const thing = THING_BY_SENTENCE.get(english)
  if (thing) return words.missing[thing]
  const key = BY_SENTENCE.get(english)
  if (key) return words.refusals[key] as string
  for (const [pattern, key] of PATTERNS) {
    const [, value] = pattern.exec(english) ?? []
    const say = words.refusals[key]
    if (value !== undefined && typeof say === 'function') return say(value)
  }
  for (const [pattern, say] of words.errors.reasons) {
    const found = pattern.exec(english)
    if (found) return say(...found.slice(1))
  }
  return undefined
}
