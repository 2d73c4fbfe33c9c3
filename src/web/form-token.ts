import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { forbidden } from '@/core/errors'
import { readFormPairs } from '@/http/form-body'
import { type Html, html } from './html'

const NAME = 'csrf'

/** What a form of ours holds and another site cannot know: it belongs to the session that the page was made for. */
const tokenOf = ({ credential }: Caller): string =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`form\n${credential.id}`).digest('hex')

export const formToken = (caller: Caller): Html =>
  html`<input type="hidden" name="${NAME}" value="${tokenOf(caller)}">`

/** The fields of a form that came from a page which we made for this session. That no other site sent it is for `invoke`. */
export async function readOwnForm(request: Request, caller: Caller): Promise<URLSearchParams> {
  const form = await readFormPairs(request)
  const [made, sent] = [Buffer.from(tokenOf(caller)), Buffer.from(form.getAll(NAME).join())]
  if (made.length !== sent.length || !timingSafeEqual(made, sent))
    throw forbidden('This form was not made for your present sign-in: load the page again and repeat it')
  return form
}
