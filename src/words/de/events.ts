import type { events as english } from '../en/events'

export const events: typeof english = {}
