import { readAddress } from '../addresses'

export type Account = {
  /** The provider's permanent id of the person. */
  subject: string
  username: string | null
  name: string | null
  email: string | null
  isVerified: boolean
}

/** Fetches from the provider with the person's access token. */
export type ReadJson = (url: string) => Promise<unknown>

type Json = Record<string, unknown>

const NAME_MAX = 200

/** GitHub has the profile and the verified addresses at two endpoints. */
export async function githubProfile(read: ReadJson, api: string): Promise<Account> {
  const user = record(await read(`${api}/user`))
  const emails = await read(`${api}/user/emails`)
  const primary = (Array.isArray(emails) ? emails.map(record) : []).find((entry) => entry.primary === true)
  return {
    subject: subjectOf(user.id),
    username: text(user.login),
    name: text(user.name),
    email: readAddress(primary?.email),
    isVerified: primary?.verified === true,
  }
}

export async function discordProfile(read: ReadJson, api: string): Promise<Account> {
  const user = record(await read(`${api}/users/@me`))
  return {
    subject: subjectOf(user.id),
    username: text(user.username),
    name: text(user.global_name),
    email: readAddress(user.email),
    isVerified: user.verified === true,
  }
}

/** A subject is unique only within its issuer. */
export const openIdAccount = (issuer: string, claims: Json): Account => ({
  subject: `${issuer} ${subjectOf(claims.sub)}`,
  username: text(claims.preferred_username) ?? text(claims.nickname),
  name: text(claims.name),
  email: readAddress(claims.email),
  // Some providers send a string instead of a boolean.
  isVerified: claims.email_verified === true || claims.email_verified === 'true',
})

function record(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The provider sent something else than an object')
  return value as Json
}

function subjectOf(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'string' && value !== '' && value.length <= 255 && /^[\x20-\x7e]+$/.test(value))
    return value
  throw new Error('The provider did not say who this is')
}

/** One line of text, without characters that break a database or page. */
function text(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const line = value
    .slice(0, NAME_MAX)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return line === '' ? null : line
}
