import { Type } from '@sinclair/typebox'
import { line, oneOf } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

/** Each kind has a dead-letter state. */
export const KINDS = ['events', 'reactions', 'messages', 'jobs', 'mails'] as const

export const DeadWork = Type.Object({
  work: Type.Array(
    Type.Object({
      kind: oneOf([...KINDS]),
      id: wireId(),
      what: Type.String(),
      attempts: Type.Number(),
      error: orNull(Type.String()),
      at: wireTime(),
      canBeRetried: Type.Boolean(),
    }),
  ),
  isCutShort: Type.Boolean({ description: 'There are more of a kind than are listed.' }),
})

export const RetryInput = Type.Object({
  which: line(1, 40, { description: 'An id, a kind, or `all`.' }),
})

export const Retried = Type.Object({
  events: Type.Number(),
  reactions: Type.Number(),
  messages: Type.Number(),
  jobs: Type.Number(),
  isCutShort: Type.Boolean({ description: 'There are more: ask again.' }),
})
