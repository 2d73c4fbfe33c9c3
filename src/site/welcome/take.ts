import { demandSameSite } from '@/auth/csrf'
import { config } from '@/config/config'
import { type AppError, badRequest, forbidden, isAppError } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { invoke } from '@/http/invoke'
import { refusalFor } from '@/http/refuse'
import type { Visit } from '@/http/visit'
import { usernamesFor } from '@/modules/access/sign-in/people/usernames'
import { readMe, updateProfile } from '@/modules/account/me/actions'
import { receiveByForm } from '@/modules/people/uploads/receive/by-form'
import { problemOf, type Sent } from '@/web/form'
import { formInput } from '@/web/form-input'
import { isOwnForm } from '@/web/form-token'
import { wordsFor } from '@/web/language'
import { message } from '@/web/message'
import { type Answer, signedIn, toSignIn } from '@/web/page'
import { redirect } from '@/web/redirect'
import type { Words } from '@/words/words'
import { returnToOf, showWelcome } from './page'

/** Saves a newcomer's answers and redirects to where they came for. */
export async function takeWelcome(visit: Visit): Promise<Answer> {
  // A file cannot be kept during sign-in.
  if (visit.visitor === 'anonymous') return toSignIn(visit)
  const caller = signedIn(visit)
  demandSameSite(visit.request)
  const words = wordsFor(visit)
  let values = new URLSearchParams()
  try {
    const { pictures, refused, fields } = await receiveByForm(visit, { file: 'avatar' }, (before) => {
      values = before
      if (!isOwnForm(before, caller)) throw forbidden(refusals.otherSignIn)
    })
    values = fields
    if (refused !== undefined) throw refused
    const picture = pictures.get('file')
    // Without a file, nothing has checked the token yet.
    if (!isOwnForm(values, caller)) throw badRequest(words.errors.damaged)
    await introduce(visit, values, picture?.isChecked ? picture.publicUrl : undefined)
    return picture?.isChecked === false
      ? stillChecking(visit, words)
      : redirect(visit, 303, returnToOf(visit))
  } catch (thrown) {
    const error = refusalFor(visit, thrown)
    if (error.status === 403 || error.status >= 500) throw error
    const page = await showWelcome(visit, {}, { values, problem: problemIn(error, words) })
    return { ...page, status: error.status, headers: { ...page.headers, ...error.headers } }
  }
}

function problemIn(error: AppError, words: Words): Sent['problem'] {
  const { welcome, settings } = words
  const labels = new Map([
    ['name', welcome.name],
    ['profileVisibility', welcome.visibility],
  ])
  const isFile = error.status === 413 || (error.about !== undefined && !labels.has(error.about.field))
  return isFile ? { text: settings.pictureHint, field: 'file' } : problemOf(error, labels, words)
}

const stillChecking = (visit: Visit, { welcome }: Words): Answer =>
  message({
    title: welcome.title(config.siteName),
    text: welcome.checking,
    to: { href: returnToOf(visit), label: welcome.button },
  })

/** The generated username of a person registered without a name. */
const DRAWN = /^user-[0-9a-f]{8}$/

/** Saves the answers. Replaces a generated username by one that fits the name. */
async function introduce(visit: Visit, values: URLSearchParams, avatarUrl?: string): Promise<void> {
  const change = {
    // A missing name would stay unchanged.
    name: '',
    ...formInput(updateProfile.input, ['name', 'profileVisibility'], values),
    ...(avatarUrl && { avatarUrl }),
  }
  const { username } = await invoke(visit, readMe, () => ({}))
  const save = (more = {}) => invoke(visit, updateProfile, () => ({ ...change, ...more }))
  for (const candidate of DRAWN.test(username ?? '') ? fitting(change.name) : [])
    try {
      await save({ username: candidate })
      return
    } catch (error) {
      // The username is taken; the last attempt reports any other error.
      if (!isAppError(error) || error.appCode !== 'conflict') throw error
    }
  await save()
}

function* fitting(name: string): Generator<string> {
  for (const candidate of usernamesFor({ login: null, name })) {
    if (DRAWN.test(candidate)) return
    yield candidate
  }
}
