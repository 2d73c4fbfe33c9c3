import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import { readQueues } from '@/jobs/figures'
import { readLongWork } from '@/jobs/long-work'
import { readMailFigures } from '@/mail/figures'
import { countDeliveries } from '@/modules/developers/webhooks/deliveries/queries'
import { findSubscriptionFigures } from '@/modules/gatherings/feeds/websub/queries'
import { findWaitingForCheck } from '@/modules/people/uploads/check/queries'
import { findOutboxFigures } from './queries'
import { JobFigures } from './schema'

export const readJobs = action({
  name: 'readJobs',
  access: 'admin',
  reads: true,
  summary: 'See how the work in the background stands',
  input: Type.Object({}),
  output: JobFigures,
  run: async () => {
    const [queues, longWork, outbox, deliveries, subscriptions, uploads, mails] = await Promise.all([
      readQueues(),
      readLongWork(),
      findOutboxFigures(db),
      countDeliveries(db, now()),
      findSubscriptionFigures(db, now()),
      findWaitingForCheck(db, now()),
      readMailFigures(),
    ])
    return { queues: [...queues, ...longWork], outbox, deliveries, subscriptions, uploads, mails }
  },
})
