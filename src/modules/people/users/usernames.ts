import { Type } from '@sinclair/typebox'
import { line } from '@/core/fields'

/** Accepts any line, so that malformed usernames answer 404 instead of 400. */
export const UsernameInput = Type.Object({ username: line(1, 100) })

/** Usernames that look official. */
const RESERVED = new Set(
  'admin administrator api auth help support about root system me new edit settings staff moderator folkmoot'.split(
    ' ',
  ),
)

export const isReserved = (username: string) => RESERVED.has(username.toLowerCase())
