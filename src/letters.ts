import type { Letter } from './mail/letter'
import { signInLetter } from './modules/access/sign-in/mail/letters'
import { webhookDisabledLetter } from './modules/developers/webhooks/letters'
import { rsvpConfirmedLetter } from './modules/gatherings/notices/letters'

/** Every area's letters. */
export const letters = [signInLetter, webhookDisabledLetter, rsvpConfirmedLetter] as unknown as Letter[]
