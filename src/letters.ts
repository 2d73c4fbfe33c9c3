import type { Letter } from './mail/letter'
import { signInLetter } from './modules/access/sign-in/mail/letters'
import { confirmLetter, noticeLetter } from './modules/account/address-change/letters'
import { webhookDisabledLetter } from './modules/developers/webhooks/letters'
import { eventLetters } from './modules/gatherings/notices/letters'

/** Every area's letters. */
export const letters = [
  signInLetter,
  confirmLetter,
  noticeLetter,
  webhookDisabledLetter,
  ...eventLetters,
] as unknown as Letter[]
