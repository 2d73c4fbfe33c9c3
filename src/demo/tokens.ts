import { TOKEN_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/secrets'
import { checkedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { DEMO_DOMAIN } from '@/db/migrate/installation'
import { transaction } from '@/db/transaction'
import {
  allEvents,
  allGroups,
  allOwners,
  allPasses,
  countTokensNamed,
  peopleOf,
  replaceTokensNamed,
} from './queries'

const TOKEN_NAME = 'Demo token'

type DemoPerson = { username: string; role: string; token: string; manages: string[] }
export type Demo = {
  baseUrl: string
  people: DemoPerson[]
  groups: { id: string; urlname: string }[]
  events: { id: string; title: string; status: string }[]
  /** The username is null for a blank tag. */
  passes: { id: string; type: string; username: string | null }[]
}

/** Whether the tokens in `demo.json` are still valid. */
export const hasDemoTokens = async (demo: Demo | undefined) =>
  demo !== undefined &&
  demo.people.length > 0 &&
  (await countTokensNamed(db, TOKEN_NAME)) === demo.people.length

/** Creates a token for each user with every scope they may have. Replaces tokens of an earlier start. */
export async function makeDemo(baseUrl: string): Promise<Demo> {
  const people = await peopleOf(db, DEMO_DOMAIN)
  const owners = await allOwners(db)
  const made = people.map(({ id, username, role }) => ({
    id,
    username: username as string,
    role,
    token: checkedSecret(TOKEN_PREFIX),
    manages: owners.filter(({ userId }) => userId === id).map(({ groupId }) => groupId),
  }))
  await transaction((tx) => replaceTokensNamed(tx, TOKEN_NAME, made.map(tokenRow)))
  const first = made.slice(0, 10)
  const organizers = made.filter(({ manages }) => manages.length > 0)
  const administrators = made.filter(({ role }) => role === 'admin')
  const known = new Set([...first, ...organizers, ...administrators])
  return {
    baseUrl,
    people: [...known, ...made.filter((person) => !known.has(person))].map(({ id: _, ...person }) => person),
    ...(await placesOf()),
  }
}

const tokenRow = ({ id, role, token }: { id: string; role: string; token: string }) => ({
  id: newId(),
  userId: id,
  name: TOKEN_NAME,
  hash: hashSecret(token),
  prefix: token.slice(0, TOKEN_PREFIX.length + 8),
  scopes: SCOPE_NAMES.filter((scope) => scope !== 'admin' || role === 'admin'),
})

export const placesOf = async () => ({
  groups: await allGroups(db),
  events: await allEvents(db),
  passes: await allPasses(db),
})
