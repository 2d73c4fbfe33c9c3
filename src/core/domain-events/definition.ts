import { type TObject, Type } from '@sinclair/typebox'
import type { Scope } from '../scopes'

export type Definition = {
  description: string
  /** The scope that a webhook needs to hear of it. */
  scope: Scope
  /** The fields that hold people's ids; the person who caused the event comes first. */
  people: readonly string[]
  /** The fields that name the object that changed: events of one object are numbered in their order. */
  object: readonly string[]
  data: TObject
}

export const uuid = () => Type.String({ format: 'uuid' })
export const uuidOrNull = () => Type.Union([uuid(), Type.Null()])
