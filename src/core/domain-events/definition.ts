import { type TObject, Type } from '@sinclair/typebox'
import type { Scope } from '../scopes'

export type Definition = {
  description: string
  /** The scope that a webhook needs to receive it. */
  scope: Scope
  /** Fields with ids of people; the actor comes first. */
  people: readonly string[]
  /** Fields that identify the changed object: its events are numbered in order. */
  object: readonly string[]
  data: TObject
}

export const uuid = () => Type.String({ format: 'uuid' })
export const uuidOrNull = () => Type.Union([uuid(), Type.Null()])
