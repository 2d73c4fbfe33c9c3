import type { home as english } from '../en/home'

export const home: typeof english = {}
