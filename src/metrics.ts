import { lockLines } from './db/lock-waits'
import { backupLines } from './http/metrics/backups'
import type { Figures } from './http/metrics/shared'
import { heartbeatLines, jobLines } from './jobs/metrics'
import { mailLines } from './mail/metrics'
import { outboxLines } from './modules/administration/jobs/metrics'
import { deliveryLines } from './modules/developers/webhooks/metrics'
import { subscriptionLines } from './modules/gatherings/feeds/websub/metrics'
import { uploadLines } from './modules/people/uploads/metrics'

/** What waits in the database, for Prometheus. */
export const figures: readonly Figures[] = [
  heartbeatLines,
  lockLines,
  outboxLines,
  jobLines,
  deliveryLines,
  subscriptionLines,
  mailLines,
  uploadLines,
  backupLines,
]
