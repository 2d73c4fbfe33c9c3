import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { orNull } from '@/core/shapes'
import { db } from '@/db/client'
import { readQueues } from '@/jobs/figures'
import { readLongWork } from '@/jobs/long-work'
import { readMailFigures } from '@/mail/figures'
import { countDeliveries } from '@/modules/developers/webhooks/deliveries/queries'
import { findSubscriptionFigures } from '@/modules/gatherings/feeds/websub/queries'
import { findWaitingForCheck } from '@/modules/people/uploads/check/queries'
import { findOutboxFigures } from './queries'

const oldestSeconds = orNull(
  Type.Number({ description: 'How long the oldest has waited; null when none does.' }),
)

const JobFigures = Type.Object(
  {
    queues: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the queue.' }),
        waiting: Type.Number({ description: 'Jobs that are due.' }),
        active: Type.Number({ description: 'Jobs that run now.' }),
        delayed: Type.Number({ description: 'Jobs for later.' }),
        failed: Type.Number({ description: 'Jobs that failed for good.' }),
        oldestSeconds,
      }),
      { description: 'Queues of the worker.' },
    ),
    outbox: Type.Object(
      {
        pending: Type.Number({ description: 'Facts whose consequences nobody has taken up yet.' }),
        oldestSeconds,
      },
      { description: 'Domain events to process.' },
    ),
    deliveries: Type.Object(
      {
        due: Type.Number({ description: 'Messages to webhooks that should be on their way.' }),
        dead: Type.Number({ description: 'Messages that were given up.' }),
      },
      { description: 'Messages to webhooks.' },
    ),
    subscriptions: Type.Object(
      {
        due: Type.Number({ description: 'Feeds that should be on their way to subscribers (WebSub).' }),
        failing: Type.Number({ description: 'Subscriptions whose last push was not accepted.' }),
        unverified: Type.Number({ description: 'Requests that wait for their callback to confirm them.' }),
      },
      { description: 'Feeds for subscribers (WebSub).' },
    ),
    uploads: Type.Object(
      {
        waiting: Type.Number({ description: 'Uploaded files that wait for their check.' }),
        oldestSeconds,
      },
      { description: 'Files to check.' },
    ),
    mails: Type.Object(
      {
        waiting: Type.Number({ description: 'Mails that should be on their way.' }),
        retrying: Type.Number({
          description: 'Mails that are being sent, or failed and will be tried again.',
        }),
        failed: Type.Number({ description: 'Mails of the last day that were refused or given up.' }),
        oldestSeconds,
      },
      { description: 'Emails to send.' },
    ),
  },
  { $id: 'JobFigures' },
)

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
