import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { letter } from '@/mail/letter'
import { linkOf } from './secrets'

export const LIFE_MS = 15 * 60 * 1000

/** A sign-in mail. The address may have no account. */
export const signInLetter = letter({
  name: 'sign-in',
  kind: null,
  urgency: 'awaited',
  secret: true,
  lifeMs: LIFE_MS,
  data: Type.Object({ token: Type.String(), code: Type.String(), language: Type.String() }),
  write: async ({ words: { accountMails } }, { token, code }) => {
    const { signIn } = accountMails
    return {
      subject: signIn.subject(config.siteName),
      parts: [
        { say: signIn.type },
        { code },
        { say: signIn.orOpen },
        { button: signIn.button, url: linkOf(token) },
        { quiet: signIn.once },
        { quiet: signIn.ignore },
      ],
      reason: signIn.reason,
    }
  },
})
