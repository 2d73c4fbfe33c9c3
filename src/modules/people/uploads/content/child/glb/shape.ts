import { DAMAGED, Refusal } from '../refusal'
import { isObject, type Json, type JsonObject } from './json'

/** A list of objects at the top of a model; a model without it has none. */
export function listOf(model: JsonObject, name: string): JsonObject[] {
  const list = model[name] ?? []
  if (!Array.isArray(list) || !list.every(isObject)) throw new Refusal(DAMAGED)
  return list
}

/** A whole number that is not negative. */
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

/** An extension of an object, if it has one of these. */
export function extension(object: JsonObject, ...names: string[]): JsonObject | undefined {
  const { extensions } = object
  if (!isObject(extensions)) return undefined
  return names.map((name) => extensions[name]).find(isObject)
}
