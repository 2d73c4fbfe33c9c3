import type { door as english } from '../en/door'

export const door: typeof english = {}
