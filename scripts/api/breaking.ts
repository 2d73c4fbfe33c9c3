import type { Document, Operation } from './document'
import { answersOf, type Field, type Fields, inputOf } from './fields'

export type Change = { operation: string; what: string }

/** Changes from `before` to `after` that break clients written for `before`. */
export function breakingChanges(before: Document, after: Document): Change[] {
  const present = operationsOf(after)
  return [...operationsOf(before)].flatMap(([name, old]) => {
    const now = present.get(name)
    const found = now
      ? [
          ...brokenAccess(old, now),
          ...brokenInput(inputOf(before, old), inputOf(after, now)),
          ...brokenAnswers(answersOf(before, old), answersOf(after, now)),
        ]
      : ['it is gone']
    return found.map((what) => ({ operation: name, what }))
  })
}

/** Changes whose operation is not named under "Unreleased", "Breaking". */
export function unannounced(changes: Change[], changelog: string): Change[] {
  const section = (text: string, mark: RegExp, title: string) =>
    text.split(mark).find((part) => part.startsWith(title)) ?? ''
  const announced = section(section(changelog, /^## /m, 'Unreleased'), /^### /m, 'Breaking')
  return changes.filter(({ operation }) => !announced.includes(`\`${operation}\``))
}

const operationsOf = ({ paths }: Document) =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
  )

function* brokenAccess({ security: old = [] }: Operation, { security: now = [] }: Operation) {
  if (now.length === 0) return
  if (old.length === 0) yield 'it wants a credential now'
  const opens = (key: Record<string, string[]>, lock: Record<string, string[]>) =>
    Object.entries(lock).every(
      ([scheme, scopes]) => key[scheme] && scopes.every((one) => key[scheme]?.includes(one)),
    )
  for (const key of old)
    if (!now.some((lock) => opens(key, lock))) yield `${JSON.stringify(key)} no longer opens it`
}

function* brokenInput(old: Fields, now: Fields) {
  for (const [path, field] of old) {
    const found = now.get(path)
    if (!found) {
      if (!isGoneWithItsParent(field, now)) yield `${path} is no longer taken`
      continue
    }
    const refused = [...field.kinds].filter((kind) => !covers(found.kinds, kind))
    if (refused.length > 0) yield `${path} no longer takes ${refused.join(', ')}`
    if (found.isRequired && !field.isRequired) yield `${path} is required now`
    for (const [name, bound] of Object.entries(found.bounds))
      if (isTighter(name, bound, field.bounds[name as keyof Field['bounds']]))
        yield `${path} has ${name} ${bound} now`
  }
  for (const [path, { isRequired, within }] of now)
    if (isRequired && !old.has(path) && (within === undefined || old.has(within)))
      yield `${path} is required now`
}

function* brokenAnswers(old: Fields, now: Fields) {
  for (const [path, field] of old) {
    const found = now.get(path)
    if (!found) {
      if (!isGoneWithItsParent(field, now)) yield `${path} is gone`
      continue
    }
    // A new enum value is an addition, like a new property.
    const known = new Set([...field.kinds].map(typeOfWord))
    const surprising = [...found.kinds].map(typeOfWord).filter((kind) => !covers(known, kind))
    if (surprising.length > 0) yield `${path} may be ${surprising.join(', ')} now`
    if (field.isRequired && !found.isRequired) yield `${path} may be missing now`
  }
}

const isGoneWithItsParent = ({ within }: Field, now: Fields) => within !== undefined && !now.has(within)

const covers = (kinds: Set<string>, kind: string) =>
  kinds.has(kind) ||
  kinds.has('any') ||
  kinds.has(withoutFormat(typeOfWord(kind))) ||
  (kind === 'integer' && kinds.has('number'))

/** `"confirmed"` is a string, `true` a boolean. */
function typeOfWord(kind: string): string {
  if (kind.startsWith('"')) return 'string'
  if (/^-?\d/.test(kind)) return 'number'
  return kind === 'true' || kind === 'false' ? 'boolean' : kind
}

const withoutFormat = (kind: string) => kind.replace(/ \(.*/, '')

const isTighter = (name: string, bound: number, before: number | undefined) =>
  name.startsWith('max')
    ? bound < (before ?? Number.POSITIVE_INFINITY)
    : bound > (before ?? Number.NEGATIVE_INFINITY)
