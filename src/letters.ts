import type { Letter } from './mail/letter'
import { signInLetter } from './modules/access/sign-in/mail/letters'
import { webhookDisabledLetter } from './modules/developers/webhooks/letters'

/** Every area's letters. */
export const letters = [signInLetter, webhookDisabledLetter] as unknown as Letter[]
