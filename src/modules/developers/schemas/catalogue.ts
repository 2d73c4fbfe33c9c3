import { config } from '@/config/config'
import { deliveredData, EVENTS } from '@/core/domain-events'

export const SCHEMAS_VERSION = '1.0.0'

type Described = { name: string; title: string; description: string; schema: object }

/** JSON Schema of what a webhook is sent for each kind of domain event. */
const deliveries = (): Described[] =>
  Object.entries(EVENTS).map(([type, { description, data }]) => ({
    name: type,
    title: `Delivery of ${type}`,
    description,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: addressOf(type),
      title: `Delivery of ${type}`,
      description,
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { const: type },
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
        data: deliveredData(data),
      },
    },
  }))

const addressOf = (name: string) => `${config.baseUrl}/schemas/${name}`

const CATALOGUE = new Map(deliveries().map((described) => [described.name, described]))

export const schemaNames = () => [...CATALOGUE.keys()]

export const schemaNamed = (name: string) => CATALOGUE.get(name)?.schema

export const schemaList = () => ({
  schemas: [...CATALOGUE.values()].map(({ name, title, description }) => ({
    name,
    title,
    description,
    url: addressOf(name),
  })),
  version: SCHEMAS_VERSION,
})
