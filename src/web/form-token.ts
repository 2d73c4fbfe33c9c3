import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { type Html, html } from './html'

export const FORM_TOKEN = 'csrf'

/** A CSRF token, bound to the session of the page. */
const tokenOf = ({ credential }: Caller): Buffer =>
  Buffer.from(
    new Bun.CryptoHasher('sha256', config.secretKey).update(`form\n${credential.id}`).digest('hex'),
    'hex',
  )

/** One mask for all forms of a page, so that the page still compresses well, renewed every second. */
let pad = { madeAt: 0, bytes: Buffer.alloc(0) }

function padNow(): Buffer {
  const second = Math.floor(nowMs() / 1000)
  if (pad.madeAt !== second)
    pad = { madeAt: second, bytes: Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))) }
  return pad.bytes
}

const TOKEN_BYTES = 32

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, i) => byte ^ (other[i] ?? 0)))

/** Masked by random bytes, so that the compressed size reveals nothing (BREACH). */
export const formToken = (caller: Caller): Html => {
  const mask = padNow()
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${mask.toString('hex')}${xor(mask, tokenOf(caller)).toString('hex')}">`
}

/** Whether the form came from a page of this session. `invoke` refuses cross-site requests. */
export function isOwnForm(form: URLSearchParams, caller: Caller): boolean {
  const sent = form.getAll(FORM_TOKEN).join()
  if (!/^[0-9a-f]{128}$/.test(sent)) return false
  const bytes = Buffer.from(sent, 'hex')
  return timingSafeEqual(tokenOf(caller), xor(bytes.subarray(0, TOKEN_BYTES), bytes.subarray(TOKEN_BYTES)))
}
