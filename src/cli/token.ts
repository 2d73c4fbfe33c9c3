import { createTokenFor } from '@/modules/administration/users/operator/actions'
import { CATALOGUE } from './catalogue'
import { command } from './command'

export const token = command(createTokenFor, {
  ...CATALOGUE.token,
  flags: { name: '--name', scopes: '--scopes', expiresInDays: '--days' },
  input: ([person], options) => ({
    person,
    name: options.get('--name'),
    scopes: options
      .get('--scopes')
      ?.split(/[\s,]+/)
      .filter(Boolean),
    expiresInDays: options.has('--days') ? Number(options.get('--days')) : undefined,
  }),
  show: ({ name, scopes, expiresAt, token: secret }) =>
    [
      `“${name}” may ${scopes}, ${expiresAt === null ? 'without an end' : `until ${expiresAt}`}. It is shown this once:`,
      secret,
    ].join('\n\n'),
})
