import type { TObject, TSchema } from '@sinclair/typebox'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Words that make a sample read like a real one, by the name of the field. */
const WORDS: Record<string, string> = {
  slug: 'helping-hand',
  badgeSlug: 'explorer',
  role: 'volunteer',
  method: 'qr',
  provider: 'github',
  source: 'claim',
  key: 'explorer',
  name: 'Laptop',
  clientId: 'fm_app_2f1c6f3a9d0b4e5f8a7c1b2d3e4f5a6b',
  fields: 'name',
  scopes: 'read:user',
  passId: '84y3mkd2ht7wq5ne',
  previousId: 'x7rc2vhq9mp4dt6k',
  passType: 'nfc',
  reason: 'It answered 410 Gone',
}

/** An example of a domain event's data, the same every time. */
export const sampleOf = (schema: TObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(name, field)]))

const SEQUENCE = 1_777_660_200_000_000

function exampleOf(name: string, schema: TSchema): unknown {
  if (name === 'sequence') return SEQUENCE
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return exampleOf(name, schema.anyOf[0])
  if (schema.type === 'array') return [exampleOf(name, schema.items)]
  if (schema.type === 'number' || schema.type === 'integer') return 10
  if (schema.type === 'boolean') return true
  return schema.format === 'uuid' ? ID : (WORDS[name] ?? name)
}
