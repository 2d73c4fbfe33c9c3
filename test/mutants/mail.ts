import type { Mutant } from './mutant'

const TESTS = ['test/faults/mail.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'sender-blamed-on-reader',
    file: 'src/outbound/mail/failure.ts',
    find: " || command === 'MAIL FROM'",
    replace: '',
    means: 'While the sender is set up wrongly, everybody’s mail is given up.',
    tests: TESTS,
  },
  {
    name: 'full-mailbox-is-gone',
    file: 'src/outbound/mail/failure.ts',
    find: "isUnknown(error as SmtpError) ? 'no-mailbox' : 'refused'",
    replace: "'no-mailbox'",
    means: 'Whose mailbox was full for a day gets no mail for a month.',
    tests: TESTS,
  },
  {
    name: 'gone-for-ever',
    file: 'src/modules/access/sign-in/mail/verify.ts',
    find: 'await forgetRefusal(tx, mail.email)',
    replace: '',
    means: 'Whose mailbox works again gets no mail for a month.',
    tests: TESTS,
  },
  {
    name: 'password-in-clear',
    file: 'src/outbound/mail/smtp.ts',
    find: 'requireTLS: isPasswordAtRisk(new URL(smtpUrl)),',
    replace: '',
    means: 'Whoever sits on the way reads the password of the mail server.',
    tests: TESTS,
  },
  {
    name: 'lease-runs-out',
    file: 'src/mail/send.ts',
    find: 'const renew = () => postponeMail(queueDb, row, leaseEnd())',
    replace: 'const renew = async () => leaseEnd()',
    means: 'A slow mail server gets each mail once from every worker.',
    tests: TESTS,
  },
]
