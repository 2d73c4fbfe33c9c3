import type { people as english } from '../en/people'

export const people: typeof english = {}
