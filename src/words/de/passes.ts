import type { passes as english } from '../en/passes'

export const passes: typeof english = {}
