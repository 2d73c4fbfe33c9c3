import { DAMAGED, Refusal } from '../refusal'

const DEPTH_AT_MOST = 64
const VALUES_AT_MOST = 500_000

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/** Counts brackets and commas before parsing, to bound depth and number of values. */
export function parseBounded(bytes: Uint8Array): JsonObject {
  demandBounds(bytes)
  let parsed: Json
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new Refusal(DAMAGED)
  }
  if (!isObject(parsed)) throw new Refusal(DAMAGED)
  return parsed
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const [QUOTE, ESCAPE, COMMA, OPEN, CLOSE] = [0x22, 0x5c, 0x2c, [0x5b, 0x7b], [0x5d, 0x7d]]

function demandBounds(bytes: Uint8Array) {
  let [depth, values, isString] = [0, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (isString && byte === ESCAPE) at += 1
    else if (byte === QUOTE) isString = !isString
    else if (isString) continue
    else if (OPEN.includes(byte)) depth += 1
    else if (CLOSE.includes(byte)) depth -= 1
    if (!isString && (byte === COMMA || OPEN.includes(byte))) values += 1
    if (depth > DEPTH_AT_MOST || values > VALUES_AT_MOST) throw new Refusal('The model is too complex.')
  }
}
