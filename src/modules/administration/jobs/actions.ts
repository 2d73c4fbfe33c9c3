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
  Type.Number({ description: 'Age of the oldest waiting one in seconds; null if none waits.' }),
)

const JobFigures = Type.Object(
  {
    queues: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the queue.' }),
        waiting: Type.Number({ description: 'Due jobs.' }),
        active: Type.Number({ description: 'Running jobs.' }),
        delayed: Type.Number({ description: 'Delayed jobs.' }),
        failed: Type.Number({ description: 'Failed jobs.' }),
        oldestSeconds,
      }),
      { description: 'Queues of the worker.' },
    ),
    outbox: Type.Object(
      {
        pending: Type.Number({ description: 'Domain events that are not relayed yet.' }),
        oldestSeconds,
      },
      { description: 'Domain events to process.' },
    ),
    deliveries: Type.Object(
      {
        due: Type.Number({ description: 'Due webhook messages.' }),
        dead: Type.Number({ description: 'Dead messages: all attempts failed.' }),
      },
      { description: 'Webhook messages.' },
    ),
    subscriptions: Type.Object(
      {
        due: Type.Number({ description: 'Due pushes to feed subscribers (WebSub).' }),
        failing: Type.Number({ description: 'Subscriptions whose last push was not accepted.' }),
        unverified: Type.Number({
          description: 'Subscription requests that the callback has not confirmed yet.',
        }),
      },
      { description: 'Feed subscriptions (WebSub).' },
    ),
    uploads: Type.Object(
      {
        waiting: Type.Number({ description: 'Uploaded files that are not checked yet.' }),
        oldestSeconds,
      },
      { description: 'Files to check.' },
    ),
    mails: Type.Object(
      {
        waiting: Type.Number({ description: 'Due emails.' }),
        retrying: Type.Number({
          description: 'Emails that are being sent, or will be retried.',
        }),
        failed: Type.Number({ description: 'Emails of the last day that were refused or expired.' }),
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
  summary: 'Read the status of background work',
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
