import { cookieOf } from '@/http/cookies'
import { isLanguage, LANGUAGES, type Language } from '@/words/language'
import { type Words, wordsIn } from '@/words/words'

/** The chosen language. */
export const LANGUAGE_COOKIE = 'language'

/** The chosen language, or the browser's first that we support. */
export function languageOf(request: Request): Language {
  const { headers } = request
  if (headers.get('cookie')?.includes(LANGUAGE_COOKIE)) {
    const chosen = cookieOf(request, LANGUAGE_COOKIE)
    if (isLanguage(chosen)) return chosen
  }
  return asked(headers.get('accept-language'))
}

/** Whether the reader requests any language. */
export const saysLanguage = (request: Request): boolean =>
  request.headers.has('accept-language') || isLanguage(cookieOf(request, LANGUAGE_COOKIE))

export const wordsFor = ({ request }: { request: Request }): Words => wordsIn(languageOf(request))

/** Few distinct headers exist: each is parsed once. */
const known = new Map<string, Language>()
const KNOWN_MAX = 500
const LENGTH_MAX = 200

function asked(accept: string | null): Language {
  if (accept === null || accept.length > LENGTH_MAX) return LANGUAGES[0]
  let language = known.get(accept)
  if (language === undefined) {
    language = firstOf(accept)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(accept, language)
  }
  return language
}

/** By the reader's weights (RFC 9110, 12.5.4); a variant counts as its language. */
function firstOf(accept: string): Language {
  const wanted = accept
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return {
        language: range.split('-')[0],
        weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0,
      }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .find(isLanguage)
  return wanted ?? LANGUAGES[0]
}
