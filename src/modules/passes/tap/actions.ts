import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { randomHex } from '@/core/codes'
import { conflict } from '@/core/errors'
import { internal } from '@/core/page'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { countPeopleMet, countPeopleMetBy } from '../connections/queries'
import { isPassId } from '../passes/id'
import { findPassInUse, NOT_IN_USE, peekPassInUse } from '../passes/look-up'
import { isOwned } from '../passes/owner-shown'
import type { KnownPass } from '../passes/queries'
import { PassInput } from '../passes/schema'
import { isTap } from './is-tap'
import { isKnownPair, pairOf } from './known-pairs'
import { meet, pairState } from './meet'
import { isRecorded, recordStranger } from './record'
import { strangerOf } from './stranger'

export type Tapped = {
  known: KnownPass
  /** Whether the visitor and the owner have met. */
  connected: boolean
  /** The cookie value to set for a new anonymous visitor. */
  newStranger?: string
  /** For the owner: people met with this pass, and with all passes. */
  met?: { people: number; all: number }
  /** Of a signed-in visitor. */
  person?: { follows: boolean; recordedNow: boolean }
}

const { tapPerSecond, venueTapPerSecond } = config.rateLimits

export const tapPass = action({
  name: 'tapPass',
  access: 'public',
  // Declared as a read although it writes: writes are batched, so no per-caller connection quota is needed.
  reads: true,
  summary: 'Tap a pass',
  description:
    'Shows whose pass it is, and connects the visitor with its owner, once for each pair: a person who is signed in, or ' +
    'a token with `write:meetpass`; a stranger by a cookie, until they sign in. Browsers get a page, programs JSON. ' +
    'Prefetching, previews, frames and links on other sites show the card and record nothing. ' +
    `${tapPerSecond} per second and address. ` +
    '`/PASS/{ID}` is the same, in the upper-case form of QR codes; query parameters added by NFC tags are ignored.',
  // The headers tell a tap from a link, and the cookie names an anonymous visitor.
  input: Type.Object({ ...PassInput.properties, request: Type.Unsafe<Request>(Type.Any()) }),
  output: internal<Tapped>(),
  errors: ['not_found', 'gone'],
  rate: { name: 'tap', perSecond: tapPerSecond, venuePerSecond: venueTapPerSecond },
  countsMiss: isPassId,
  run: (caller, { id, request }) => {
    const known = peekPassInUse(id)
    const stranger = caller === null ? strangerOf(request) : undefined
    // Synchronous if the pass is cached and the stranger's tap recorded: measured, 3 % (page) to 7 % (JSON) less work.
    if (known && stranger !== undefined && isKnownTap(known, stranger)) return { known, connected: true }
    return tap(known ?? findPassInUse(id), caller, request, stranger)
  },
})

const isKnownTap = ({ owner }: KnownPass, stranger: string) =>
  owner !== null && isKnownPair(pairOf(stranger, owner.id))

async function tap(
  found: KnownPass | Promise<KnownPass>,
  caller: Caller | null,
  request: Request,
  stranger: string | undefined,
): Promise<Tapped> {
  const known = await found
  if (!isOwned(known)) return { known, connected: false }
  const [passId, ownerId] = [known.pass.id, known.owner.id]
  if (caller === null) {
    const visitor = stranger ?? randomHex(16)
    const pair = pairOf(visitor, ownerId)
    if (isKnownPair(pair)) return { known, connected: true }
    if (!isTap(request)) return { known, connected: false }
    const meeting = { passId, ownerId, visitor, pair }
    const connected = isRecorded(await recordStranger(meeting), meeting)
    return { known, connected, newStranger: connected && stranger === undefined ? visitor : undefined }
  }
  if (caller.userId === ownerId) {
    const people = await countPeopleMetBy(db, ownerId, passId)
    return { known, connected: false, met: { people, all: await countPeopleMet(db, ownerId) } }
  }
  // Connections are visible only to tokens with the read scope.
  if (!caller.scopes.has('read:meetpass')) return { known, connected: false }
  const before = await pairState(caller.userId, ownerId)
  const isNew = !before.connected && mayMeet(caller, request)
  const { connected, follows } = isNew ? await meet(known, caller) : before
  return { known, connected, person: { follows, recordedNow: isNew && connected } }
}

/** Browsers attach cookies to any request, so a session needs a real tap. With a token, any GET connects. */
const mayMeet = ({ credential, scopes }: Caller, request: Request) =>
  scopes.has('write:meetpass') && (credential.kind === 'session' ? isTap(request) : request.method === 'GET')

export const connectByPass = action({
  name: 'connectByPass',
  access: 'write:meetpass',
  summary: 'Connect with the owner of a pass',
  input: PassInput,
  output: Type.Object({ connected: Type.Literal(true) }),
  errors: ['not_found', 'conflict', 'gone'],
  failureLimit: true,
  run: async (caller, { id }) => {
    const known = await findPassInUse(id)
    if (!isOwned(known)) throw conflict(refusals.tagUnclaimed)
    if (known.owner.id === caller.userId) throw conflict(refusals.ownPass)
    const { connected } = await meet(known, caller)
    if (!connected) throw NOT_IN_USE
    return { connected: true } as const
  },
})
