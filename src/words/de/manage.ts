import type { manage as english } from '../en/manage'

export const manage: typeof english = {}
