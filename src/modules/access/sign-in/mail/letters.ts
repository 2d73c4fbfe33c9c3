import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { letter } from '@/mail/letter'
import { linkOf } from './secrets'

/** How long the link and the code work. */
export const LIFE_MS = 15 * 60 * 1000

/** What somebody waits for who wants to sign in. Whether its address is anybody's is not known. */
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
