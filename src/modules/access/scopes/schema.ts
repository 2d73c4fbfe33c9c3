import { Type } from '@sinclair/typebox'

export const Scope = Type.Object(
  { name: Type.String(), description: Type.String(), implies: Type.Array(Type.String()) },
  { $id: 'Scope' },
)
