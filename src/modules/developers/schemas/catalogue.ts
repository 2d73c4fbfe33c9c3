import type { TSchema } from '@sinclair/typebox'
import { config } from '@/config/config'
import { deliveredData, EVENTS } from '@/core/domain-events'
import { hoist } from '@/http/openapi/schemas'

/** A response schema that is published under a name. */
export type PublishedShape = { name: string; title: string; description: string; shape: TSchema }

/**
 * One version for all schemas (semver): a new schema or field is minor, a change that invalidates an earlier response is major,
 * other wording is a patch.
 */
const VERSION = '1.1.1'

type Described = { name: string; title: string; description: string; schema: object }

const addressOf = (name: string) => `${config.baseUrl}/schemas/${name}`

/** JSON Schema 2020-12, self-contained: a validator needs no second document. */
const described = (name: string, title: string, description: string, shape: object): Described => ({
  name,
  title,
  description,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: addressOf(name),
    title,
    description,
    ...shape,
  },
})

const plain = (shape: TSchema) => hoist(shape, null) as object

const ofShape = ({ name, title, description, shape }: PublishedShape) =>
  described(name, title, description, withoutWords(plain(shape)))

/** Drops the shape's description, which is that of the field it was written for. */
const withoutWords = ({ description: _, ...shape }: { description?: string }) => shape

/** The payload of a webhook delivery for each type of domain event. */
const ofDeliveries = () =>
  Object.entries(EVENTS).map(([type, { description, data }]) =>
    described(type, `Delivery of ${type}`, description, {
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { const: type },
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
        data: plain(deliveredData(data)),
      },
    }),
  )

export function catalogueOf(shapes: PublishedShape[]) {
  const all = [...shapes.map(ofShape), ...ofDeliveries()]
  return {
    list: {
      schemas: all.map(({ name, title, description }) => ({
        name,
        title,
        description,
        url: addressOf(name),
      })),
      version: VERSION,
    },
    schemas: new Map(all.map(({ name, schema }) => [name, schema])),
  }
}
