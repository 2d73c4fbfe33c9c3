import type { Listener } from './jobs/listener'

/** Every area's reactions to domain events. */
export const listeners: Listener[] = []
