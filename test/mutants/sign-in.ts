import type { Mutant } from './mutant'

const TESTS = 'test/modules/access/sign-in'
const ATTACKS = 'test/attacks/sign-in.test.ts'

export const mutants: Mutant[] = [
  {
    name: 'operator-access-for-administrators',
    file: 'src/core/caller.ts',
    find: "if (visitor.credential.kind !== 'operator') throw forbidden(refusals.hostOnly)",
    replace: '',
    means: 'An administrator could make links that sign in as anybody.',
    tests: ['test/cli/admin.test.ts'],
  },
  {
    name: 'operator-link-lives-on',
    file: 'src/modules/access/sign-in/mail/operator-link.ts',
    find: 'const HOUR_MS = 60 * 60 * 1000',
    replace: 'const HOUR_MS = 24 * 60 * 60 * 1000',
    means: "The operator's link, left in a terminal, signs somebody in a day later.",
    tests: ['test/cli/admin.test.ts'],
  },
  {
    name: 'operator-link-needs-mail',
    file: 'src/modules/access/sign-in/mail/verify.ts',
    find: '  if (mail === undefined) throw deadLink()',
    replace: '  demandMail()\n  if (mail === undefined) throw deadLink()',
    means: 'The first administrator of a server without mail cannot sign in.',
    tests: ['test/cli/admin.test.ts'],
  },
  {
    name: 'code-leaves-other-mails',
    file: 'src/modules/access/sign-in/mail/mails.ts',
    find: 'if (used) await useUpOthers(tx, email, now())',
    replace: '',
    means: 'Whoever reads an old mail signs in after its owner did.',
    tests: [`${TESTS}/mail.test.ts`],
  },
  {
    name: 'link-leaves-other-mails',
    file: 'src/modules/access/sign-in/mail/mails.ts',
    find: 'if (used) await useUpOthers(tx, used.email, now())',
    replace: '',
    means: 'Whoever reads an old mail signs in after its owner did.',
    tests: [`${TESTS}/mail.test.ts`],
  },
  {
    name: 'return-to-sign-in-paths',
    file: 'src/web/redirect.ts',
    find: '&& !path.startsWith(SIGN_IN_PATHS)',
    replace: '',
    means: 'A link begins something in the name of whoever follows it.',
    tests: [`${TESTS}/mail.test.ts`, `${TESTS}/others.test.ts`, ATTACKS],
  },
  {
    name: 'login-state-of-another-provider',
    file: 'src/modules/access/sign-in/providers/link.ts',
    find: 'if (loginState.provider !== provider) return undefined',
    replace: '',
    means: 'A sign-in that began at one provider ends at another.',
    tests: [`${TESTS}/openid.test.ts`],
  },
  {
    name: 'known-address-takes-longer',
    file: 'src/modules/access/sign-in/mail/ask.ts',
    find: 'await withinMails(visit, email, () => sendSignInMail(email, returnTo, words.language))',
    replace:
      "await withinMails(visit, email, () => sendSignInMail(email, returnTo, words.language))\n  if (email.endsWith('@example.org')) await Bun.sleep(3)",
    means: 'Whoever measures learns who has an account.',
    tests: [ATTACKS],
  },
  {
    name: 'outage-is-charged',
    file: 'src/http/limits/hourly.ts',
    find: "if (certaintyOf(error) === 'unavailable') await limiter.giveBack(budgets)",
    replace: '',
    means: 'Who asked for mail while the database was away gets none for an hour after.',
    tests: ['test/modules/access/sign-in/mail.test.ts'],
  },
  {
    name: 'intent-of-any-address',
    file: 'src/web/intent.ts',
    find: 'cookieOf(visit.request, NAME) === encodeURIComponent(addressOf(visit))',
    replace: 'cookieOf(visit.request, NAME) !== undefined',
    means: 'A link makes a person who pressed one button press another.',
    tests: ['test/site/welcome.test.ts'],
  },
  {
    name: 'intent-without-a-press',
    file: 'src/web/page.ts',
    find: 'if (finish === undefined || !isIntended(visit)) return undefined',
    replace: 'if (finish === undefined) return undefined',
    means: 'Any link on another site takes a seat for its reader.',
    tests: ['test/site/welcome.test.ts'],
  },
  {
    name: 'welcome-at-every-sign-in',
    file: 'src/modules/access/sign-in/queries.ts',
    find: '${before.lastLoginAt} is null',
    replace: '${before.lastLoginAt} is not null or true',
    means: 'People are asked for their name at every sign-in.',
    tests: ['test/site/welcome.test.ts'],
  },
]
