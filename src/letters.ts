import type { Letter } from './mail/letter'
import { signInLetter } from './modules/access/sign-in/mail/letters'
import { confirmLetter, noticeLetter } from './modules/account/address-change/letters'
import { webhookDisabledLetter } from './modules/developers/webhooks/letters'
import { rsvpConfirmedLetter } from './modules/gatherings/notices/letters'

/** Every area's letters. */
export const letters = [
  signInLetter,
  confirmLetter,
  noticeLetter,
  webhookDisabledLetter,
  rsvpConfirmedLetter,
] as unknown as Letter[]
