import { demandSameSite } from '@/auth/csrf'
import { type AppError, badRequest, forbidden } from '@/core/errors'
import { refusalFor } from '@/http/refuse'
import type { Visit } from '@/http/visit'
import type { Category } from '@/modules/people/uploads/categories'
import { receiveByForm } from '@/modules/people/uploads/receive/by-form'
import { spoken } from '@/web/error-page'
import { isOwnForm } from '@/web/form-token'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import { type Answer, signedIn } from '@/web/page'
import { redirect } from '@/web/redirect'
import type { Words } from '@/words/words'

type Taking = {
  category: Category
  /** The page of the form, and the query after success. */
  path: string
  shown: string
  checking: string
  /** Checks permission before the upload. */
  mayChange?: () => Promise<unknown>
  /** Sets the uploaded picture. */
  use: (publicUrl: string) => unknown
  /** Renders the page with an error. */
  again: (problem: string) => Promise<Page>
}

/** Uploads a picture from a page's form and sets it. */
export async function takePicture(visit: Visit, taking: Taking): Promise<Answer> {
  const { category, path } = taking
  // A file cannot be kept during sign-in.
  if (visit.visitor === 'anonymous') return redirect(visit, 303, loginPath(path))
  const caller = signedIn(visit)
  demandSameSite(visit.request)
  await taking.mayChange?.()
  try {
    const { picture } = await receiveByForm(visit, category, (fields) => {
      if (!isOwnForm(fields, caller))
        throw forbidden('This form was not made for your present sign-in: load the page again and repeat it')
    })
    if (picture === 'none') throw badRequest(wordsFor(visit).settings.noFile)
    if (!picture.isChecked) return redirect(visit, 303, path + taking.checking)
    await taking.use(picture.publicUrl)
    return redirect(visit, 303, path + taking.shown)
  } catch (thrown) {
    const error = refusalFor(visit, thrown)
    if (error.status === 403 || error.status >= 500) throw error
    const page = await taking.again(said(error, wordsFor(visit)))
    return { ...page, status: error.status, headers: { ...page.headers, ...error.headers } }
  }
}

/** Upload errors about declared fields address programs; people read what the file must be. */
const said = (error: AppError, words: Words): string =>
  error.about !== undefined || error.status === 413 ? words.settings.pictureHint : spoken(error, words)
