import { deliveredData, EVENTS } from '@/core/domain-events'
import { sampleOf } from '@/core/sample'
import { hoist, type Json } from './schemas'

const TIMESTAMP = '2027-05-06T18:30:00.000Z'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** Standard Webhooks. */
const HEADERS = [
  header(
    'webhook-id',
    'The same for every attempt: drop what you have seen.',
    '01890a5d-ac96-774b-bcce-b302099a8057',
  ),
  header('webhook-timestamp', 'When this attempt was made, in Unix seconds.', '1809628200'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` by the secret; several, with spaces between them, while the secret is rotated.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** One entry per domain event. */
export const describeWebhooks = (): Json =>
  Object.fromEntries(
    Object.entries(EVENTS).map(([type, { description, data }]) => [
      type,
      {
        post: {
          operationId: `receive ${type}`.replace(/[ ._]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: `Delivery of ${type}`,
          description,
          tags: ['Developer'],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': deliveryOf(type, deliveredData(data)) },
          },
          responses: {
            '2XX': {
              description:
                'Received. Any other status is a failure and is retried; redirects are not followed.',
            },
            410: { description: 'Gone: the webhook is disabled.' },
          },
        },
      },
    ]),
  )

const deliveryOf = (type: string, data: ReturnType<typeof deliveredData>) => ({
  schema: {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type, description: 'Name of the domain event.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: { ...(hoist(data, null) as Json), description: 'What happened, by ids.' },
    },
  },
  example: { type, timestamp: TIMESTAMP, data: sampleOf(data) },
})
