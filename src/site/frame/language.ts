import { refuseOtherSites } from '@/auth/csrf'
import { badRequest } from '@/core/errors'
import { cookie } from '@/http/cookies'
import { readFormPairs } from '@/http/form-body'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { updatePreferences } from '@/modules/account/preferences/actions'
import { LANGUAGE_COOKIE } from '@/web/language'
import { ownPath } from '@/web/own-path'
import { personOf } from '@/web/page'
import { redirect } from '@/web/redirect'
import { isLanguage } from '@/words/language'

export const PATH = '/language'

const YEAR_SECONDS = 365 * 24 * 3600

/** Keeps the language that somebody chose, signed in or not, and leads back. Whoever is signed in is written to in it, too. */
export async function chooseLanguage(visit: Visit): Promise<Response> {
  refuseOtherSites(visit.request)
  const sent = await readFormPairs(visit.request)
  const to = sent.get('to') ?? undefined
  if (!isLanguage(to)) throw badRequest('There is no such language here')
  if (personOf(visit) !== null) await invoke(visit, updatePreferences, () => ({ language: to }))
  const chosen = cookie(LANGUAGE_COOKIE, to, { maxAgeSeconds: YEAR_SECONDS })
  return redirect(visit, 303, ownPath(sent.get('back')), [chosen])
}
