import type { developer as english } from '../en/developer'

export const developer: typeof english = {}
