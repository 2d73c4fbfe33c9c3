import { type TObject, Type } from '@sinclair/typebox'
import type { Scope } from '../scopes'

export type Definition = {
  description: string
  /** What a credential needs in order to hear of it. */
  scope: Scope
  /** The fields that hold people; whose doing it is comes first. */
  people: readonly string[]
  /** The fields that name what changed: whatever happens to the same object is numbered in its order. */
  object: readonly string[]
  data: TObject
}

export const uuid = () => Type.String({ format: 'uuid' })
export const uuidOrNull = () => Type.Union([uuid(), Type.Null()])
