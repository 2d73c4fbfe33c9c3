import { Type } from '@sinclair/typebox'

export const Scope = Type.Object(
  {
    name: Type.String({ description: 'As tokens and applications name it.' }),
    description: Type.String({ description: 'What it allows.' }),
    implies: Type.Array(Type.String(), { description: 'Scopes that it includes.' }),
  },
  { $id: 'Scope' },
)
