import { refuseOtherSites } from '@/auth/csrf'
import { identify } from '@/auth/identify'
import { badRequest } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { refusals } from '@/core/refusals'
import { cookie } from '@/http/cookies'
import { readFormPairs } from '@/http/form-body'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { updatePreferences } from '@/modules/account/preferences/actions'
import { LANGUAGE_COOKIE } from '@/web/language'
import { ownPath, redirect } from '@/web/redirect'
import { isLanguage, type Language } from '@/words/language'

export const PATH = '/language'

const YEAR_SECONDS = 365 * 24 * 3600

/** Stores the chosen language in a cookie and redirects back. For a signed-in person it also becomes the language of mail. */
export async function chooseLanguage(visit: Visit): Promise<Response> {
  refuseOtherSites(visit.request)
  const sent = await readFormPairs(visit.request)
  const to = sent.get('to') ?? undefined
  if (!isLanguage(to)) throw badRequest(refusals.unknownLanguage)
  await writeToThemIn(visit, to)
  const chosen = cookie(LANGUAGE_COOKIE, to, { maxAgeSeconds: YEAR_SECONDS })
  return redirect(visit, 303, ownPath(sent.get('back')), [chosen])
}

/** A failure to save the mail language does not affect the page. */
async function writeToThemIn(visit: Visit, language: Language): Promise<void> {
  try {
    const visitor = await identify(visit.request.headers)
    if (typeof visitor === 'string') return
    await invoke({ ...visit, visitor }, updatePreferences, () => ({ language }))
  } catch (error) {
    warnSparingly('a choice of language was not kept for mails', reasonOf(error))
  }
}
