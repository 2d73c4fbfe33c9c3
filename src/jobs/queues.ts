/** The queues of BullMQ that workers serve, by name. */
export const QUEUES = ['reactions', 'schedules'] as const

/** The kinds of long work by name; each has a queue. */
export const KINDS = ['pass-sheet', 'data-export'] as const
