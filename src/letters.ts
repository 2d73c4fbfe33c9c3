import type { Letter } from './mail/letter'
import { appRegisteredLetter } from './modules/access/developer-apps/letters'
import { appConnectedLetter } from './modules/access/grants/letters'
import { signInLetter } from './modules/access/sign-in/mail/letters'
import { tokenMadeLetter } from './modules/access/tokens/letters'
import { confirmLetter, noticeLetter } from './modules/account/address-change/letters'
import { weeklyDigestLetter } from './modules/account/digest/letters'
import { claimDecidedLetter } from './modules/community/group-claims/letters'
import { webhookDisabledLetter } from './modules/developers/webhooks/letters'
import { eventLetters } from './modules/gatherings/notices/letters'
import { newFollowerLetter } from './modules/people/follows/letters'
import { badgeEarnedLetter } from './modules/recognition/badges/letters'

/** Every area's letters. */
export const letters = [
  signInLetter,
  tokenMadeLetter,
  appConnectedLetter,
  appRegisteredLetter,
  confirmLetter,
  noticeLetter,
  webhookDisabledLetter,
  claimDecidedLetter,
  newFollowerLetter,
  badgeEarnedLetter,
  weeklyDigestLetter,
  ...eventLetters,
] as unknown as Letter[]
