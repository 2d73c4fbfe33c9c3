import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, invalidField, notFound } from '@/core/errors'
import { id, nullable, optional, pattern, person, time } from '@/core/fields'
import { newId } from '@/core/ids'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso, orNull, wireId, wireTime } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { findPerson, lockUsers } from '@/modules/people/users/queries'
import { lockNamed } from '@/modules/people/users/visible'
import {
  countEntitlementsOf,
  deleteEntitlement,
  type EntitlementRow,
  grantEntitlement as grantRow,
  listEntitlementsOf,
  NEWEST_FIRST,
} from './queries'

const UserEntitlement = Type.Object(
  {
    id: wireId(),
    entitlement: Type.String(),
    grantedAt: orNull(wireTime()),
    expiresAt: orNull(Type.String({ format: 'date-time', description: 'Null if it does not expire.' })),
    source: orNull(Type.String({ description: 'How it was granted.' })),
  },
  { $id: 'UserEntitlement' },
)
type UserEntitlement = Static<typeof UserEntitlement>

const userId = person()

const NewEntitlementInput = Type.Object({
  userId,
  entitlement: pattern(
    '^[a-z0-9]+(?:[._-][a-z0-9]+)*$',
    1,
    100,
    'must be 1 to 100 lower-case letters or digits, in parts that a dot, a hyphen or an underscore joins',
  ),
  expiresAt: optional(nullable(time())),
})

const EntitlementInput = Type.Object({ userId, id: id() })

export const listEntitlements = action({
  name: 'listEntitlements',
  access: 'read:user',
  summary: 'List your entitlements',
  description: 'Newest first. Omits expired ones.',
  input: PageInput,
  output: pageOf(UserEntitlement),
  run: async ({ userId }, input) => {
    const at = now()
    return keysetPage(
      {
        list: `entitlements:${userId}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listEntitlementsOf(db, userId, at, after),
        total: await countEntitlementsOf(db, userId, at),
      },
      presentEntitlement,
    )
  },
})

export const grantEntitlement = action({
  name: 'grantEntitlement',
  access: 'admin',
  summary: 'Grant an entitlement to a person',
  description: 'Replaces the same entitlement if that has expired.',
  input: NewEntitlementInput,
  output: UserEntitlement,
  errors: ['not_found', 'conflict'],
  run: (caller, { userId: named, entitlement, expiresAt: until }) => {
    const at = now()
    const expiresAt = until ? new Date(until) : null
    if (expiresAt && expiresAt <= at) throw invalidField('expiresAt', refusals.inFuture)
    return transaction(async (tx) => {
      // Locks the user: an account that is being deleted answers 404.
      const { id: userId } = await lockNamed(tx, named, lockOne)
      const granted = await grantRow(tx, { id: newId(), userId, entitlement, expiresAt, source: 'admin' }, at)
      if (!granted) throw conflict(refusals.entitlementHeld)
      await audit(tx, caller, {
        action: 'entitlement.grant',
        targetType: 'entitlement',
        targetId: granted.id,
        changes: { userId, entitlement, expiresAt: iso(expiresAt) },
      })
      return presentEntitlement(granted)
    })
  },
})

export const revokeEntitlement = action({
  name: 'revokeEntitlement',
  access: 'admin',
  summary: 'Revoke an entitlement of a person',
  input: EntitlementInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { userId: named, id }) =>
    transaction(async (tx) => {
      const person = await findPerson(tx, named)
      if (!person) throw notFound('User')
      const deleted = await deleteEntitlement(tx, person.id, id)
      if (!deleted) throw notFound('Entitlement')
      await audit(tx, caller, {
        action: 'entitlement.revoke',
        targetType: 'entitlement',
        targetId: id,
        changes: { userId: person.id, entitlement: deleted.entitlement },
      })
    }),
})

const lockOne = async (tx: Tx, id: string) => (await lockUsers(tx, [id]))[0]

const presentEntitlement = (row: EntitlementRow): UserEntitlement => ({
  id: row.id,
  entitlement: row.entitlement,
  grantedAt: iso(row.grantedAt),
  expiresAt: iso(row.expiresAt),
  source: row.source,
})
