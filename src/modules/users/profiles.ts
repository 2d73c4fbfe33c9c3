import type { Notice } from '@/core/events'
import { cache } from '@/db/cache'
import { db } from '@/db/client'
import { completedBy } from '@/modules/achievements/queries'
import { heldBy } from '@/modules/badges/queries'
import { dropChanged } from './memory'
import { presentProfile } from './present'
import { findFavoriteGroups, findGithubUsername, findPortfolio, findUser } from './queries'
import type { PublicUserProfile } from './schema'

/** Profiles as others see them, ready to be sent. Whether somebody may see one is asked elsewhere. */
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
  drops: (fact, drop) => {
    dropChanged(fact, drop)
    const userId = personTouchedBy(fact)
    if (userId) drop.key(userId)
    if (
      fact.type === 'group.updated' ||
      fact.type === 'group.deleted' ||
      fact.type === 'achievements.changed'
    )
      drop.all()
  },
})

function personTouchedBy(fact: Notice): string | undefined {
  switch (fact.type) {
    case 'group.favorited':
    case 'group.unfavorited':
    case 'achievement.unlocked':
    case 'user.account_linked':
      return fact.data.userId
  }
}
