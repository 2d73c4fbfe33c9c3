import { badRequest, invalidField } from './errors'
import { refusals } from './refusals'

const DEPTH_MAX = 32
const VALUES_MAX = 10_000

/** C0 controls except tab and line feed, and DEL. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** No script stacks this many marks on one letter, and NFC sorts them in quadratic time. */
const PILED = /\p{M}{31}/u

/** Rejects input that is too deep or too large to walk. Breadth-first, because recursion would overflow the stack. */
export function demandBounded(value: unknown): void {
  if (isFlat(value)) return
  let values = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      if (depth >= DEPTH_MAX) throw badRequest(refusals.bodyTooDeep(DEPTH_MAX))
      const items = Array.isArray(node) ? node : Object.values(node)
      values += items.length
      if (values > VALUES_MAX) throw badRequest(refusals.bodyTooManyValues(VALUES_MAX))
      for (const item of items) below.push(item)
    }
    level = below
  }
}

const FEW = 100

/** Most input: a few fields without anything nested. The request, which documents pass on, is not walked. */
function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return false
  let fields = 0
  for (const name in value as object) {
    const item = (value as Record<string, unknown>)[name]
    if (++fields > FEW || (typeof item === 'object' && item !== null && !(item instanceof Request)))
      return false
  }
  return true
}

/**
 * Normalizes all input: NFC, trimmed, CRLF as LF. Rejects control characters and lone surrogates, which break databases, logs and
 * feeds.
 */
export function clean(node: unknown, path = ''): unknown {
  if (typeof node === 'string') return cleanString(node, path)
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((item, index) => clean(item, join(path, index)))
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(node))
    if (!isInherited(key)) copy[key] = clean(item, join(path, key))
  return copy
}

/** Names such as `toString` and `__proto__`: TypeBox looks fields up with `in`, which finds them on every object. */
const isInherited = (key: string) => key in Object.prototype || key === 'prototype'

const ASCII = /^[\x20-\x7e]*$/

export function cleanString(value: string, name: string): string {
  // Most input; this one check is half the time of all below.
  if (ASCII.test(value)) return value.trim()
  const unix = value.includes('\r') ? value.replaceAll('\r\n', '\n') : value
  if (CONTROLS.test(unix)) throw invalidField(name || 'The value', refusals.controlCharacters)
  if (!unix.isWellFormed()) throw invalidField(name || 'The value', refusals.invalidUnicode)
  if (PILED.test(unix)) throw invalidField(name || 'The value', refusals.piledMarks)
  return unix.normalize('NFC').trim()
}

// The caller chooses the keys too, so an error names one only if it looks like a field name.
const join = (path: string, key: string | number) => {
  const name = typeof key === 'number' || /^[A-Za-z][A-Za-z0-9]{0,40}$/.test(key) ? String(key) : 'A field'
  return path ? `${path}.${name}` : name
}
