import { refuseOtherSites } from '@/auth/csrf'
import { badRequest } from '@/core/errors'
import { cookie } from '@/http/cookies'
import { readFormPairs } from '@/http/form-body'
import type { Visit } from '@/http/visit'
import { LANGUAGE_COOKIE } from '@/web/language'
import { ownPath } from '@/web/own-path'
import { redirect } from '@/web/redirect'
import { isLanguage } from '@/words/language'

export const PATH = '/language'

const YEAR_SECONDS = 365 * 24 * 3600

/** Keeps the language that somebody chose, signed in or not, and leads back. */
export async function chooseLanguage(visit: Visit): Promise<Response> {
  refuseOtherSites(visit.request)
  const sent = await readFormPairs(visit.request)
  const to = sent.get('to') ?? undefined
  if (!isLanguage(to)) throw badRequest('There is no such language here')
  const chosen = cookie(LANGUAGE_COOKIE, to, { maxAgeSeconds: YEAR_SECONDS })
  return redirect(visit, 303, ownPath(sent.get('back')), [chosen])
}
