import type { Listener } from './jobs/listener'
import { achievementListener } from './modules/achievements/listeners'

/** Every area's reactions to domain events. */
export const listeners: Listener[] = [achievementListener]
