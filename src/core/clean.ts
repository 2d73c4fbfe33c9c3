import { badRequest, invalidField } from './errors'

const DEPTH_MAX = 32
const VALUES_MAX = 10_000

/** NUL and the other C0 controls but tab and line feed, and DEL. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** More marks on one letter than any script has. Composing sorts them, which takes quadratic time. */
const PILED = /\p{M}{31}/u

/** Refuses input that is too deep or too large to look at. Level by level: recursion has limits of its own. */
export function demandBounded(value: unknown): void {
  let values = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      if (depth >= DEPTH_MAX) throw badRequest(`The body may be nested at most ${DEPTH_MAX} levels deep`)
      const items = Array.isArray(node) ? node : Object.values(node)
      values += items.length
      if (values > VALUES_MAX) throw badRequest(`The body may hold at most ${VALUES_MAX} values`)
      for (const item of items) below.push(item)
    }
    level = below
  }
}

/**
 * The global string rule, applied to whatever came in before anyone looks at it: NFC, trimmed, CRLF as LF;
 * controls and lone surrogates are refused, because databases, logs and feeds all break on them somewhere.
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

/**
 * Names such as `toString` and `__proto__`, which every object inherits: `in`, with which TypeBox looks for fields,
 * finds them everywhere. No field of ours is called so.
 */
const isInherited = (key: string) => key in Object.prototype || key === 'prototype'

export function cleanString(value: string, name: string): string {
  const unix = value.includes('\r') ? value.replaceAll('\r\n', '\n') : value
  if (CONTROLS.test(unix)) throw invalidField(name || 'The value', 'may not hold control characters')
  if (!unix.isWellFormed()) throw invalidField(name || 'The value', 'is not valid Unicode')
  if (PILED.test(unix)) throw invalidField(name || 'The value', 'piles up too many marks on one letter')
  return unix.normalize('NFC').trim()
}

// A key is typed by the caller too, so it is named only when it looks like a name of ours.
const join = (path: string, key: string | number) => {
  const name = typeof key === 'number' || /^[A-Za-z][A-Za-z0-9]{0,40}$/.test(key) ? String(key) : 'A field'
  return path ? `${path}.${name}` : name
}
