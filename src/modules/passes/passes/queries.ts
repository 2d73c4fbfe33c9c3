import { eq, sql } from 'drizzle-orm'
import { onceBuilt } from '@/db/client'
import { passDesigns, passes } from '@/db/tables/passes'
import { users } from '@/db/tables/users'

export type PassRow = typeof passes.$inferSelect
export type DesignRow = typeof passDesigns.$inferSelect

/** What a tap shows of the owner. */
const owner = {
  id: users.id,
  name: users.name,
  username: users.username,
  avatarUrl: users.avatarUrl,
  themeColor: users.themeColor,
  bio: users.bio,
  location: users.location,
  socialLinks: users.socialLinks,
  isPublic: users.isPublic,
  suspendedAt: users.suspendedAt,
}

const passById = onceBuilt((db) =>
  db
    .select({ pass: passes, design: passDesigns, owner })
    .from(passes)
    .leftJoin(passDesigns, eq(passDesigns.id, passes.designId))
    .leftJoin(users, eq(users.id, passes.ownerId))
    .where(eq(passes.id, sql.placeholder('id')))
    .prepare('pass_by_id'),
)

export async function findPass(id: string) {
  const [found] = await passById().execute({ id })
  return found ?? null
}

/** A pass with its design and its owner. */
export type KnownPass = NonNullable<Awaited<ReturnType<typeof findPass>>>
export type PassOwner = NonNullable<KnownPass['owner']>
