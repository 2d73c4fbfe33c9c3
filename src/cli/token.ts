import { isScope, SCOPE_NAMES } from '@/core/scopes'
import { createTokenFor } from '@/modules/administration/users/operator/actions'
import { CATALOGUE } from './catalogue'
import { command, WrongUse } from './command'

export const token = command(createTokenFor, {
  ...CATALOGUE.token,
  flags: { name: '--name', scopes: '--scopes', expiresInDays: '--days' },
  input: ([person], options) => ({
    person,
    name: options.get('--name'),
    scopes: scopesIn(options.get('--scopes')),
    expiresInDays: options.has('--days') ? Number(options.get('--days')) : undefined,
  }),
  show: ({ name, scopes, expiresAt, token: secret }) =>
    [
      `“${name}” may ${scopes}, ${expiresAt === null ? 'without an end' : `until ${expiresAt}`}. It is shown this once:`,
      secret,
    ].join('\n\n'),
})

/** Whoever typed a scope at a terminal is told which of them is none. */
function scopesIn(given: string | undefined): string[] | undefined {
  const names = given?.split(/[\s,]+/).filter(Boolean)
  const wrong = names?.find((name) => !isScope(name))
  if (wrong !== undefined)
    throw new WrongUse(`--scopes: there is no scope ${wrong}. There are: ${SCOPE_NAMES.join(' ')}.`)
  return names
}
