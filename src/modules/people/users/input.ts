import { Type } from '@sinclair/typebox'
import { line } from '@/core/fields'

/** A username in a path: any text that could be one, so that a malformed one is simply not found. */
export const UsernameInput = Type.Object({ username: line(1, 100) })
