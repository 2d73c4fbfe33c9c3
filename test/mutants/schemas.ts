import type { Mutant } from './mutant'

const SCHEMAS = ['test/modules/developers/schemas']

export const mutants: Mutant[] = [
  {
    name: 'shape-of-a-list',
    file: 'src/modules/gatherings/events/area.ts',
    find: 'shape: EventListItem',
    replace: 'shape: EventDetail',
    means: 'The items of a list do not fit the schema that is published for them.',
    tests: SCHEMAS,
  },
  {
    name: 'address-of-another',
    file: 'src/modules/developers/schemas/catalogue.ts',
    find: '$id: addressOf(name),',
    replace: "$id: addressOf('schema'),",
    means: 'A validator that holds two schemas takes one for the other.',
    tests: SCHEMAS,
  },
  {
    name: 'delivery-without-sequence',
    file: 'src/modules/developers/schemas/catalogue.ts',
    find: 'data: plain(deliveredData(data)),',
    replace: 'data: plain(data), ...(deliveredData && {}),',
    means: 'The schema of a delivery does not name the number by which receivers order it.',
    tests: [...SCHEMAS, 'test/modules/developers/webhooks/management.test.ts'],
  },
  {
    name: 'typed-address-promised',
    file: 'src/core/shapes.ts',
    find: "orNull(Type.String({ description: 'The address of the picture",
    replace: "orNull(Type.String({ format: 'uri', description: 'The address of the picture",
    means: 'The schema refuses pictures whose addresses people typed in their own letters.',
    tests: SCHEMAS,
  },
]
