import { refuseOtherSites } from '@/auth/csrf'
import { gone } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { isProgram, onceEach } from '@/http/form-body'
import type { Verdict } from '@/http/limits/limiter'
import { queryOf, type Visit } from '@/http/visit'
import { forgetRefusal } from '@/mail/refusing-mailboxes'
import { canSendMail } from '@/outbound/mail/send'
import { wordsFor } from '@/web/language'
import type { Answer } from '@/web/page'
import { ownPath } from '@/web/redirect'
import { wordsIn } from '@/words/words'
import { readFields } from '../addresses'
import { tooManyCodes, tryCode } from '../limits'
import { codePage, confirmPage } from '../pages'
import { goOn } from '../people/go-on'
import { register } from '../people/register'
import { type Started, startSession } from '../people/start-session'
import { lockIdByAddress } from '../queries'
import { demandMail, emailOf } from './ask'
import { readCode } from './letters'
import { mailOfToken, useCode, useToken } from './mails'
import type { SignInMail } from './queries'

const DEAD_LINK = refusals.linkUsed
const DEAD_LINK_OF_OPERATOR = refusals.hostLinkUsed

/** Without mail, every link is the operator's. */
const deadLink = () => gone(canSendMail() ? DEAD_LINK : DEAD_LINK_OF_OPERATOR)

/** Opens a mail's link. Mail scanners open links too, so nothing changes yet. */
export async function openLink(visit: Visit): Promise<Answer> {
  const token = onceEach(new URLSearchParams(queryOf(visit.request.url))).get('token') ?? ''
  const mail = await mailOfToken(token)
  if (mail === undefined) throw deadLink()
  return confirmPage(wordsFor(visit), mail, token)
}

/** Signs in by that page's button, or by the code. */
export async function enterByMail(visit: Visit): Promise<Answer> {
  refuseOtherSites(visit.request)
  const fields = await readFields(visit.request)
  const token = fields.get('token')
  if (token !== undefined) {
    const entered = await signInByMail(visit.request, (tx) => useToken(tx, token))
    if (entered === undefined) throw deadLink()
    return letIn(visit, entered)
  }
  demandMail()
  const [email, code] = [emailOf(fields), readCode(fields.get('code') ?? '')]
  const refuse = (verdict: Verdict) => tooManyCodes(visit, verdict)
  const entered = await tryCode(visit, email, () =>
    signInByMail(visit.request, (tx) => useCode(tx, email, code, refuse)),
  )
  if (entered !== undefined) return letIn(visit, entered)
  if (isProgram(visit.request)) throw gone(wordsIn('en').access.signIn.wrongCode)
  const words = wordsFor(visit)
  const problem = words.access.signIn.wrongCode
  return { ...codePage(words, ownPath(fields.get('returnTo')), { email, problem }), status: 410 }
}

type Entered = Started & { returnTo: string }

const letIn = (visit: Visit, { returnTo, ...started }: Entered) => goOn(visit, started, returnTo)

/** The mail proves the address: signs its holder in, or registers them. */
const signInByMail = (
  request: Request,
  useUp: (tx: Tx) => Promise<SignInMail | undefined>,
): Promise<Entered | undefined> =>
  transaction(async (tx) => {
    const mail = await useUp(tx)
    if (mail === undefined) return undefined
    await forgetRefusal(tx, mail.email)
    const known = await lockIdByAddress(tx, mail.email)
    const userId = known ?? (await register(tx, { email: mail.email, login: null, name: null }))
    return { ...(await startSession(tx, userId, request)), returnTo: mail.returnTo }
  })
