import { isScope, SCOPE_NAMES } from '@/core/scopes'
import { createAdministrator, createTokenFor } from '@/modules/administration/users/operator/actions'
import { backup, backupVerify } from './backup'
import { CATALOGUE } from './catalogue'
import { type Command, command, WrongUse } from './command'
import { doctor } from './doctor/doctor'
import { deadJobs, jobs, retryJobs } from './jobs'
import { migrate } from './migrate'
import { restore } from './restore'
import { doctor as storageDoctor } from './storage/doctor'
import { move } from './storage/move'
import { mint } from './tags'

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

/** Names the unknown scope. */
function scopesIn(given: string | undefined): string[] | undefined {
  const names = given?.split(/[\s,]+/).filter(Boolean)
  const wrong = names?.find((name) => !isScope(name))
  if (wrong !== undefined)
    throw new WrongUse(`--scopes: there is no scope ${wrong}. There are: ${SCOPE_NAMES.join(' ')}.`)
  return names
}

export const admin = command(createAdministrator, {
  ...CATALOGUE.admin,
  input: ([email]) => ({ email }),
  show: ({ username, isNew, signInUrl }) =>
    [
      `${username} is an administrator${isNew ? ', with a new account' : ''}. This link signs them in, once and within an hour:`,
      signInUrl,
      'Keep it secret: the first person to open it becomes that administrator.',
    ].join('\n\n'),
})

/** One file each, in the order of the catalogue; no logic here. */
export const COMMANDS: Command[] = [
  doctor,
  admin,
  token,
  mint,
  migrate,
  jobs,
  deadJobs,
  retryJobs,
  backup,
  backupVerify,
  restore,
  storageDoctor,
  move,
]
