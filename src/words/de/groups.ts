import type { groups as english } from '../en/groups'

export const groups: typeof english = {}
