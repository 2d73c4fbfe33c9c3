import { createTokenFor } from '@/modules/administration/users/operator/actions'
import { command } from './command'

export const token = command(createTokenFor, {
  name: 'token create',
  summary:
    'Makes a personal access token of somebody and prints it, once. It can have the scopes that their role allows, and they are told by mail.',
  example: "folkmoot token create ada --name 'Nightly report' --scopes 'read:events read:groups' --days 90",
  takes: ['address or username'],
  options: {
    '--name': { what: 'What its owner reads of it.', value: 'name' },
    '--scopes': { what: 'Separated by spaces or commas, from GET /v1/scopes.', value: 'scopes' },
    '--days': { what: 'How long it works, 1 to 365; left out, it does not end.', value: 'number' },
  },
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
