import { badRequest, invalid } from './errors'

const DEPTH_MAX = 32
const VALUES_MAX = 10_000

/** NUL and the other C0 controls but tab and line feed, and DEL. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/

/**
 * The global string rule, applied to whatever came in before anyone looks at it: NFC, trimmed, CRLF as LF;
 * controls and lone surrogates are refused, because databases, logs and feeds all break on them somewhere.
 */
export function clean(value: unknown): unknown {
  let values = 0
  const visit = (node: unknown, path: string, depth: number): unknown => {
    if (typeof node === 'string') return cleanString(node, path)
    if (typeof node !== 'object' || node === null) return node
    if (depth >= DEPTH_MAX) throw badRequest(`The body may be nested at most ${DEPTH_MAX} levels deep`)
    values += Array.isArray(node) ? node.length : Object.keys(node).length
    if (values > VALUES_MAX) throw badRequest(`The body may hold at most ${VALUES_MAX} values`)
    if (Array.isArray(node)) return node.map((item, index) => visit(item, join(path, index), depth + 1))
    const copy: Record<string, unknown> = {}
    // A key that is not in a schema is dropped later; these would change the object itself before that.
    for (const [key, item] of Object.entries(node))
      if (key !== '__proto__' && key !== 'constructor' && key !== 'prototype')
        copy[key] = visit(item, join(path, key), depth + 1)
    return copy
  }
  return visit(value, '', 0)
}

export function cleanString(value: string, name: string): string {
  const unix = value.includes('\r') ? value.replaceAll('\r\n', '\n') : value
  if (CONTROLS.test(unix)) throw invalid(`${name || 'The value'} may not hold control characters`)
  if (!unix.isWellFormed()) throw invalid(`${name || 'The value'} is not valid Unicode`)
  return unix.normalize('NFC').trim()
}

// A key is typed by the caller too, so it is named only when it looks like a name of ours.
const join = (path: string, key: string | number) => {
  const name = typeof key === 'number' || /^[A-Za-z][A-Za-z0-9]{0,40}$/.test(key) ? String(key) : 'A field'
  return path ? `${path}.${name}` : name
}
