import type { BusMessage } from '@/core/domain-events'
import { db } from '@/db/client'
import { dropChanged } from '@/modules/people/users/cache'
import { findUser } from '@/modules/people/users/queries'
import { completedBy } from '@/modules/recognition/achievements/queries'
import { heldBy } from '@/modules/recognition/badges/queries'
import { cache } from '@/outbox/cache'
import { presentProfile } from './present'
import { findFavoriteGroups, findGithubUsername, findPortfolio } from './queries'
import type { PublicUserProfile } from './schema'

/** Profiles as others see them, ready to be sent. Who may see one is decided elsewhere. */
export const profiles = cache<PublicUserProfile | null>({
  max: 20_000,
  load: async (id) => {
    const user = await findUser(id)
    if (user === null) return null
    const [portfolio, favoriteGroups, held, achievements, githubUsername] = await Promise.all([
      findPortfolio(id),
      findFavoriteGroups(id),
      heldBy(db, id),
      completedBy(db, id),
      findGithubUsername(id),
    ])
    return presentProfile({ user, portfolio, favoriteGroups, held, achievements, githubUsername })
  },
  drops: (message, drop) => {
    dropChanged(message, drop)
    const userId = personTouchedBy(message)
    if (userId) drop.key(userId)
    if (
      message.type === 'group.updated' ||
      message.type === 'group.deleted' ||
      message.type === 'achievements.changed'
    )
      drop.all()
  },
})

function personTouchedBy(message: BusMessage): string | undefined {
  switch (message.type) {
    case 'group.favorited':
    case 'group.unfavorited':
    case 'achievement.unlocked':
    case 'user.account_linked':
      return message.data.userId
  }
}
