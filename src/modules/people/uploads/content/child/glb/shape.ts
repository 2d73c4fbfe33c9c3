import { DAMAGED, Refusal } from '../refusal'
import { isObject, type Json, type JsonObject } from './json'

/** A top-level list of objects; empty if absent. */
export function listOf(model: JsonObject, name: string): JsonObject[] {
  const list = model[name] ?? []
  if (!Array.isArray(list) || !list.every(isObject)) throw new Refusal(DAMAGED)
  return list
}

/** A non-negative integer. */
export function whole(value: Json | undefined, otherwise?: number): number {
  const number = value === undefined ? otherwise : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) throw new Refusal(DAMAGED)
  return number
}

export function at<T>(list: T[], index: Json | undefined): T {
  const found = list[whole(index)]
  if (found === undefined) throw new Refusal(DAMAGED)
  return found
}

/** The first of these extensions that the object has. */
export function extension(object: JsonObject, ...names: string[]): JsonObject | undefined {
  const { extensions } = object
  if (!isObject(extensions)) return undefined
  return names.map((name) => extensions[name]).find(isObject)
}
