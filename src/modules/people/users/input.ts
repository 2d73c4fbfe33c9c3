import { Type } from '@sinclair/typebox'
import { line } from '@/core/fields'

/** Accepts any line, so that malformed usernames answer 404 instead of 400. */
export const UsernameInput = Type.Object({ username: line(1, 100) })
