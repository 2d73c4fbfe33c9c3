import type { Surroundings } from '@/web/surroundings'
import { manifestLinks } from './found/manifest'
import { accountCorner, arrival, savedZone, strangerCorner } from './frame/account'
import { foot } from './frame/foot'
import { navigation } from './frame/navigation'
import { settingsNavigation } from './settings/navigation'

export const surroundings: Surroundings = {
  head: () => manifestLinks,
  navigation,
  arrival,
  account: accountCorner,
  zone: savedZone,
  stranger: strangerCorner,
  foot,
  settings: settingsNavigation,
}
