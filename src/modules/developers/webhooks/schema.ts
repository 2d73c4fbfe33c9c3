import { type Static, Type } from '@sinclair/typebox'
import { id, line, oneOf, optional, whole } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const Webhook = Type.Object(
  {
    id: wireId(),
    url: Type.String({ description: 'Where messages are sent.' }),
    eventTypes: Type.Array(Type.String()),
    isActive: Type.Boolean(),
    disabledReason: orNull(
      Type.String({ description: 'Why it was switched off, where its owner did not do it.' }),
    ),
    secret: Type.Optional(
      Type.String({ description: 'Signs deliveries. Shown at creation and rotation only.' }),
    ),
    createdAt: orNull(wireTime()),
  },
  { $id: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const WebhookDelivery = Type.Object(
  {
    id: wireId(),
    messageId: wireId(),
    eventType: Type.String({ description: 'Name of the domain event, such as `rsvp.confirmed`.' }),
    attempt: Type.Number({ description: '1 for the first attempt.' }),
    statusCode: orNull(Type.Number()),
    success: Type.Boolean(),
    error: orNull(Type.String({ description: 'Why it failed, in words.' })),
    durationMs: orNull(Type.Number()),
    deliveredAt: orNull(wireTime()),
    nextAttemptAt: orNull(wireTime()),
    body: orNull(
      Type.String({
        description: 'The signed JSON that was sent; null while nothing was sent. Kept for 30 days.',
      }),
    ),
  },
  { $id: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookTestResult = Type.Object(
  {
    success: Type.Boolean(),
    statusCode: orNull(Type.Number()),
    responseBody: orNull(Type.String({ description: 'At most 2 KiB of text.' })),
  },
  { $id: 'WebhookTestResult' },
)
export type WebhookTestResult = Static<typeof WebhookTestResult>

export const WebhookEventType = Type.Object(
  {
    type: Type.String({ description: 'Name of the domain event, such as `rsvp.confirmed`.' }),
    description: Type.String({ description: 'When it happens.' }),
    schemaUrl: Type.String(),
    scope: Type.String({ description: 'What the credential that makes the webhook needs.' }),
    sample: Type.Record(Type.String(), Type.Unknown(), { description: 'What a delivery looks like.' }),
  },
  { $id: 'WebhookEventType' },
)

const url = line(1, 2048, {
  format: 'uri',
  description: 'An https address that can be reached from the internet.',
})
const eventTypes = Type.Array(line(1, 100), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of events, `prefix.*`, or `*`. Names that do not exist never match.',
})

export const NewWebhook = Type.Object({ url, eventTypes: optional({ ...eventTypes, default: ['*'] }) })
export const WebhookInput = Type.Object({ id: id() })
export const WebhookChange = Type.Object({
  id: id(),
  url: optional(url),
  eventTypes: optional(eventTypes),
  isActive: optional(Type.Boolean()),
})
export const DeliveriesInput = Type.Object({
  id: id(),
  limit: whole(1, 100, { default: 20, description: 'How many.' }),
  status: optional(oneOf(['failed', 'succeeded', 'pending'], { description: 'Only those that ended so.' })),
})
export const TestInput = Type.Object({
  id: id(),
  eventType: optional(line(1, 100, { description: 'Name of the domain event to send a sample of.' })),
})
export const MessageInput = Type.Object({ id: id(), messageId: id() })
