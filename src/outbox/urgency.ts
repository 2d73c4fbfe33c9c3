import type { EventType } from '@/core/domain-events'

/** The order of domain events and of reactions, lowest first. */
export const URGENT = 0
export const ORDINARY = 1

/**
 * Guests must learn of a cancelled or moved event before thousands of promotions are relayed. All changes of an event share the
 * urgency, so they are relayed in order.
 */
export const urgencyOf = (type: EventType) => (type.startsWith('event.') ? URGENT : ORDINARY)
