import { webhookAttempts, webhookMessages, webhookPastRules, webhooks } from '@/db/tables/webhooks'
import { hanging, holding, person } from './holding'

const owned = person(webhooks.ownerId)

export const DEVELOPERS = [
  holding({
    table: webhooks,
    of: { you: owned },
    why: 'to tell a server of yours what happened',
    retention: 'account',
    erased: 'deleted',
    shown: [
      'id',
      'url',
      'eventTypes',
      'scopes',
      'maker',
      'isActive',
      'disabledReason',
      'failures',
      'failingSince',
      'createdAt',
    ],
    withheld: {
      ownerId: 'machinery',
      madeByToken: 'machinery',
      madeByGrant: 'machinery',
      secret: 'secret',
      oldSecrets: 'secret',
    },
    isPrivate: true,
  }),
  holding({
    table: webhookMessages,
    of: { you: hanging(webhookMessages.webhookId, webhooks.id, owned) },
    why: 'to deliver to your webhooks, again where it failed',
    retention: { sweeps: ['webhook messages'] },
    erased: 'deleted',
    shown: ['id', 'webhookId', 'eventType', 'status', 'attempts', 'nextAttemptAt', 'createdAt'],
    withheld: { outboxId: 'machinery', body: 'copy', leaseOwner: 'machinery', leaseUntil: 'machinery' },
    isPrivate: true,
  }),
  holding({
    table: webhookAttempts,
    of: { you: hanging(webhookAttempts.webhookId, webhooks.id, owned) },
    why: 'to show you what your webhooks answered',
    retention: { sweeps: ['webhook messages'] },
    erased: 'deleted',
    shown: [
      'id',
      'messageId',
      'webhookId',
      'attempt',
      'statusCode',
      'success',
      'error',
      'durationMs',
      'attemptedAt',
      'nextAttemptAt',
    ],
    isPrivate: true,
  }),
  holding({
    table: webhookPastRules,
    of: { you: hanging(webhookPastRules.webhookId, webhooks.id, owned) },
    why: 'to deliver what happened before you changed a webhook',
    retention: { sweeps: ['past webhook rules'] },
    erased: 'deleted',
    shown: ['webhookId', 'eventTypes', 'isActive', 'changedAt'],
    withheld: { place: 'machinery', until: 'machinery' },
    isPrivate: true,
  }),
]
