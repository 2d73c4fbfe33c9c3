import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { connections, passDesigns, passes } from '@/db/tables/passes'
import { newPassId } from '@/modules/passes/passes/id'
import { makeUser } from '../../support/make'

/** A blank tag, unless an owner is given. */
export async function makeTag(fields: Partial<typeof passes.$inferInsert> = {}): Promise<string> {
  const id = newPassId()
  await db
    .insert(passes)
    .values({ id, type: 'nfc', claimedAt: fields.ownerId ? new Date() : null, ...fields })
  return fields.id ?? id
}

/** The QR pass of a person whom nobody else in the run knows. */
export async function makeQrPass(fields: Partial<typeof passes.$inferInsert> = {}): Promise<string> {
  const id = newPassId()
  const { id: ownerId } = await makeUser()
  await db.insert(passes).values({ id, type: 'qrcode', ownerId, ...fields })
  return id
}

export async function makeDesign(fields: Partial<typeof passDesigns.$inferInsert> = {}) {
  const id = `design-${newPassId()}`
  const [row] = await db
    .insert(passDesigns)
    .values({ id, name: 'Blue', themeColor: 'ocean', ...fields })
    .returning()
  return row as typeof passDesigns.$inferSelect
}

/** A visitor tapped a pass of the owner. */
export async function connect(
  ownerId: string,
  visitorId: string,
  fields: Partial<typeof connections.$inferInsert> = {},
): Promise<string> {
  const id = newId()
  await db.insert(connections).values({ id, ownerId, visitorId, createdAt: new Date(), ...fields })
  return id
}

/** A browser that nobody signed in with tapped a pass of the owner. */
export async function meetStranger(
  ownerId: string,
  fields: Partial<typeof connections.$inferInsert> = {},
): Promise<string> {
  const id = newId()
  const strangerHash = crypto.getRandomValues(new Uint8Array(32))
  await db.insert(connections).values({ id, ownerId, strangerHash, createdAt: new Date(), ...fields })
  return id
}
