import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { type Html, html } from './html'

export const FORM_TOKEN = 'csrf'

/** What a form of ours holds and another site cannot know: it belongs to the session that the page was made for. */
const tokenOf = ({ credential }: Caller): Buffer =>
  Buffer.from(
    new Bun.CryptoHasher('sha256', config.secretKey).update(`form\n${credential.id}`).digest('hex'),
    'hex',
  )

/** One pad for all forms of a page, so that the page still compresses well, and another a second later. */
let pad = { madeAt: 0, bytes: Buffer.alloc(0) }

function padNow(): Buffer {
  const second = Math.floor(nowMs() / 1000)
  if (pad.madeAt !== second)
    pad = { madeAt: second, bytes: Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))) }
  return pad.bytes
}

const TOKEN_BYTES = 32

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, i) => byte ^ (other[i] ?? 0)))

/** The token is masked by random bytes: the size of a compressed page tells nothing about it (BREACH). */
export const formToken = (caller: Caller): Html => {
  const mask = padNow()
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${mask.toString('hex')}${xor(mask, tokenOf(caller)).toString('hex')}">`
}

/** Whether a form came from a page which we made for this session. That no other site sent it is for `invoke`. */
export function isOwnForm(form: URLSearchParams, caller: Caller): boolean {
  const sent = form.getAll(FORM_TOKEN).join()
  if (!/^[0-9a-f]{128}$/.test(sent)) return false
  const bytes = Buffer.from(sent, 'hex')
  return timingSafeEqual(tokenOf(caller), xor(bytes.subarray(0, TOKEN_BYTES), bytes.subarray(TOKEN_BYTES)))
}
