import { Type } from '@sinclair/typebox'
import { orNull } from '@/core/shapes'

const oldestSeconds = orNull(
  Type.Number({ description: 'How long the oldest has waited; null when none does.' }),
)

export const JobFigures = Type.Object(
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
