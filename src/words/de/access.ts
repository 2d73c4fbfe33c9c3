import type { access as english } from '../en/access'

export const access: typeof english = {}
