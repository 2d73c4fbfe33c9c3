import { createAdministrator } from '@/modules/administration/users/operator/actions'
import { command } from './command'

export const admin = command(createAdministrator, {
  name: 'admin create',
  summary:
    'Makes the account of a mail address an administrator, or makes the account first, and prints a link that signs them in: once, within an hour, in any browser. It needs neither mail nor a provider.',
  example: 'folkmoot admin create ada@folkmoot.example',
  takes: ['address'],
  input: ([email]) => ({ email }),
  show: ({ username, isNew, signInUrl }) =>
    [
      `${username} is an administrator${isNew ? ', with a new account' : ''}. This link signs them in, once and within an hour:`,
      signInUrl,
      'Give it to nobody else: whoever opens it first is that administrator.',
    ].join('\n\n'),
})
