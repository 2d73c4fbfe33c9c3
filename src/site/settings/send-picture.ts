import { demandSameSite } from '@/auth/csrf'
import { type AppError, badRequest, forbidden, notFound } from '@/core/errors'
import { invoke } from '@/http/invoke'
import { refusalFor } from '@/http/refuse'
import type { Visit } from '@/http/visit'
import { updateProfile } from '@/modules/account/me/actions'
import { receiveByForm } from '@/modules/people/uploads/receive/by-form'
import { spoken } from '@/web/error-page'
import { isOwnForm } from '@/web/form-token'
import { wordsFor } from '@/web/language'
import { loginPath } from '@/web/login'
import { type Answer, type Params, signedIn } from '@/web/page'
import { redirect } from '@/web/redirect'
import type { Words } from '@/words/words'
import { settingsPath } from './addresses'
import { showProfile } from './profile'

const PROFILE = settingsPath('profile')
const FIELDS = { avatar: 'avatarUrl', hero: 'heroImageUrl' } as const

const isPicture = (kind: string): kind is keyof typeof FIELDS => Object.hasOwn(FIELDS, kind)

/** Takes a picture from the form of the profile and shows it there. */
export async function sendPicture(visit: Visit, { kind = '' }: Params): Promise<Answer> {
  if (!isPicture(kind)) throw notFound('Page')
  // A file cannot be kept while its sender signs in.
  if (visit.visitor === 'anonymous') return redirect(visit, 303, loginPath(PROFILE))
  const caller = signedIn(visit)
  demandSameSite(visit.request)
  try {
    const sent = await receiveByForm(visit, kind, (fields) => {
      if (!isOwnForm(fields, caller))
        throw forbidden('This form was not made for your present sign-in: load the page again and repeat it')
    })
    if (sent === 'none') throw badRequest(wordsFor(visit).settings.noFile)
    if (sent === 'checking') return redirect(visit, 303, `${PROFILE}?checking`)
    await invoke(visit, updateProfile, () => ({ [FIELDS[kind]]: sent.publicUrl }))
    return redirect(visit, 303, `${PROFILE}?pictured`)
  } catch (thrown) {
    const error = refusalFor(visit, thrown)
    if (error.status === 403 || error.status >= 500) throw error
    const page = await showProfile(visit, {}, undefined, said(error, wordsFor(visit)))
    return { ...page, status: error.status, headers: { ...page.headers, ...error.headers } }
  }
}

/** A rule that names what programs declare speaks to them; people hear what a file has to be. */
const said = (error: AppError, words: Words): string =>
  error.about !== undefined || error.status === 413 ? words.settings.pictureHint : spoken(error, words)
