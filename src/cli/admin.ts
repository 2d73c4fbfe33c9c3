import { createAdministrator } from '@/modules/administration/users/operator/actions'
import { CATALOGUE } from './catalogue'
import { command } from './command'

export const admin = command(createAdministrator, {
  ...CATALOGUE.admin,
  input: ([email]) => ({ email }),
  show: ({ username, isNew, signInUrl }) =>
    [
      `${username} is an administrator${isNew ? ', with a new account' : ''}. This link signs them in, once and within an hour:`,
      signInUrl,
      'Give it to nobody else: whoever opens it first is that administrator.',
    ].join('\n\n'),
})
