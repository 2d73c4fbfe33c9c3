import { Type } from '@sinclair/typebox'
import { orNull } from '@/core/shapes'

const oldestSeconds = orNull(
  Type.Number({ description: 'How long the oldest has waited; null when none does.' }),
)

export const JobFigures = Type.Object(
  {
    queues: Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Number(),
        active: Type.Number(),
        delayed: Type.Number(),
        failed: Type.Number(),
        oldestSeconds,
      }),
    ),
    outbox: Type.Object({
      pending: Type.Number({ description: 'Facts whose consequences nobody has taken up yet.' }),
      oldestSeconds,
    }),
    deliveries: Type.Object({
      due: Type.Number({ description: 'Messages to webhooks that should be on their way.' }),
      dead: Type.Number({ description: 'Messages that were given up.' }),
    }),
    subscriptions: Type.Object({
      due: Type.Number({ description: 'Feeds that should be on their way to subscribers (WebSub).' }),
      failing: Type.Number({ description: 'Subscriptions whose last push was not accepted.' }),
      unverified: Type.Number({ description: 'Requests that wait for their callback to confirm them.' }),
    }),
    uploads: Type.Object({
      waiting: Type.Number({ description: 'Uploaded files that wait for their check.' }),
      oldestSeconds,
    }),
    mails: Type.Object({
      waiting: Type.Number({ description: 'Mails that should be on their way.' }),
      retrying: Type.Number({ description: 'Mails that are being sent, or failed and will be tried again.' }),
      failed: Type.Number({ description: 'Mails of the last day that were refused or given up.' }),
      oldestSeconds,
    }),
  },
  { $id: 'JobFigures' },
)
