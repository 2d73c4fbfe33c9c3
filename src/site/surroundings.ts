import type { Surroundings } from '@/web/surroundings'
import { accountCorner, strangerCorner } from './frame/account'
import { foot } from './frame/foot'
import { navigation } from './frame/navigation'

export const surroundings: Surroundings = {
  navigation,
  account: accountCorner,
  stranger: strangerCorner,
  foot,
}
