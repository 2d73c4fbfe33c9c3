/** The BullMQ queues, by name. */
export const QUEUES = ['reactions', 'schedules'] as const

/** The kinds of jobs, each with its queue. */
export const KINDS = ['pass-sheet', 'data-export'] as const
