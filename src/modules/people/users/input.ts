import { Type } from '@sinclair/typebox'
import { line } from '@/core/fields'

/** A name in a path: anything that could be one, so that what is none is simply not found. */
export const UsernameInput = Type.Object({ username: line(1, 100) })
