import type { BusMessage } from '@/core/domain-events'
import { db } from '@/db/client'
import { findRecentConnections } from '@/modules/passes/connections/queries'
import { dropChanged } from '@/modules/people/users/cache'
import { findUser } from '@/modules/people/users/queries'
import { completedBy } from '@/modules/recognition/achievements/queries'
import { heldBy } from '@/modules/recognition/badges/queries'
import { cache } from '@/outbox/cache'
import { presentProfile } from './present'
import { findFavoriteGroups, findGithubUsername, findPortfolio } from './queries'
import type { PublicUserProfile } from './schema'

/** Other people on a profile: a change of one invalidates it. */
type CachedProfile = PublicUserProfile & { peopleShown: ReadonlySet<string | null> }

/** The most recently met people on a profile. */
const RECENT = 8

/** Profiles as others see them. Access is checked elsewhere. */
export const profiles = cache<CachedProfile | null>({
  max: 20_000,
  load: async (id) => {
    const user = await findUser(id)
    if (user === null) return null
    const [portfolio, favoriteGroups, held, achievements, githubUsername, recentConnections] =
      await Promise.all([
        findPortfolio(id),
        findFavoriteGroups(id),
        heldBy(db, id),
        completedBy(db, id),
        findGithubUsername(id),
        findRecentConnections(db, id, RECENT),
      ])
    const known = { user, portfolio, favoriteGroups, held, achievements, githubUsername, recentConnections }
    const peopleShown = new Set(recentConnections.map(({ personId }) => personId))
    return { ...presentProfile(known), peopleShown }
  },
  drops: (message, drop) => {
    dropChanged(message, drop)
    const userId = personTouchedBy(message)
    if (userId) drop.key(userId)
    if (message.type === 'connection.changed') {
      drop.key(message.data.ownerId)
      drop.key(message.data.visitorId)
    }
    if (message.type === 'user.updated' && message.data.fields.some((field) => FACE.has(field))) {
      const shown = message.data.userId
      drop.where((profile) => profile?.peopleShown.has(shown) === true)
    }
    if (
      message.type === 'group.updated' ||
      message.type === 'group.deleted' ||
      message.type === 'achievements.changed'
    )
      drop.all()
  },
})

/** Fields of a person that other profiles show. */
const FACE = new Set(['name', 'avatarUrl'])

function personTouchedBy(message: BusMessage): string | undefined {
  switch (message.type) {
    case 'group.favorited':
    case 'group.unfavorited':
    case 'achievement.unlocked':
    case 'user.account_linked':
    case 'meetpass.connected':
      return message.data.userId
  }
}
