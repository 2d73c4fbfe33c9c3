import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { type Html, html } from './html'

export const FORM_TOKEN = 'csrf'

/** What a form of ours holds and another site cannot know: it belongs to the session that the page was made for. */
const tokenOf = ({ credential }: Caller): string =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`form\n${credential.id}`).digest('hex')

export const formToken = (caller: Caller): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${tokenOf(caller)}">`

/** Whether a form came from a page which we made for this session. That no other site sent it is for `invoke`. */
export function isOwnForm(form: URLSearchParams, caller: Caller): boolean {
  const [made, sent] = [Buffer.from(tokenOf(caller)), Buffer.from(form.getAll(FORM_TOKEN).join())]
  return made.length === sent.length && timingSafeEqual(made, sent)
}
