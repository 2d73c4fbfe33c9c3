/** The queues that workers serve, by name. */
export const QUEUES = ['reactions', 'schedules'] as const
