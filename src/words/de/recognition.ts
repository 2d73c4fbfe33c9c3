import type { recognition as english } from '../en/recognition'

export const recognition: typeof english = {}
