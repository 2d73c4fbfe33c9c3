/** The queues that workers serve, by name. */
export const QUEUES = ['reactions', 'schedules', 'webhooks'] as const
