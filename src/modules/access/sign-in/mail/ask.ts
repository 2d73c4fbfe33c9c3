import { Type } from '@sinclair/typebox'
import { refuseOtherSites } from '@/auth/csrf'
import { isAppError, notFound } from '@/core/errors'
import { parser } from '@/core/parse'
import { isProgram } from '@/http/form-body'
import { respondJson } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { canSendMail } from '@/outbound/mail/send'
import { wordsFor } from '@/web/language'
import type { Answer } from '@/web/page'
import { ownPath } from '@/web/redirect'
import { type Fields, mailAddress, readFields } from '../addresses'
import { withinMails } from '../limits'
import { codePage, loginPage } from '../pages'
import { sendSignInMail } from './mails'

const readEmail = parser(Type.Object({ email: mailAddress() }))

export const emailOf = (fields: Fields) => readEmail({ email: fields.get('email') }).email.toLowerCase()

const NO_STORE = { 'cache-control': 'no-store' }

export async function askForMail(visit: Visit): Promise<Answer> {
  const { request } = visit
  const words = wordsFor(visit)
  refuseOtherSites(request)
  demandMail()
  const fields = await readFields(request)
  const returnTo = ownPath(fields.get('returnTo'))
  const email = isProgram(request) ? emailOf(fields) : typedAddress(fields)
  if (email === undefined) {
    const typed = fields.get('email')?.slice(0, 254)
    const problem = words.access.signIn.noAddress
    return { ...(await loginPage(words, returnTo, { email: typed, problem })), status: 400 }
  }
  await withinMails(visit, email, () => sendSignInMail(email, returnTo, words.language))
  return isProgram(request)
    ? respondJson(visit, 200, { data: { success: true } }, NO_STORE)
    : codePage(words, returnTo, { email })
}

/** Without mail, sign-in by mail does not exist. */
export function demandMail() {
  if (!canSendMail()) throw notFound('Page')
}

/** An invalid address returns the form with the input. */
function typedAddress(fields: Fields): string | undefined {
  try {
    return emailOf(fields)
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}
