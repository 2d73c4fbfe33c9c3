import type { Condition } from '@/db/tables/achievements'

export const matches = (conditions: readonly Condition[], data: unknown): boolean =>
  conditions.every((condition) => holds(condition, data))

/** Own properties only: inherited ones are no fields. */
export const fieldOf = (data: unknown, field: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, field)
    ? (data as Record<string, unknown>)[field]
    : undefined

function holds({ field, op, value }: Condition, data: unknown): boolean {
  const found = fieldOf(data, field)
  // A missing field satisfies only `neq`.
  if (found === undefined) return op === 'neq'
  switch (op) {
    case 'eq':
      return found === value
    case 'neq':
      return found !== value
    case 'in':
      return Array.isArray(value) && value.some((item) => item === found)
    case 'contains':
      return contains(found, value)
    case 'gt':
      return compare(found, value) > 0
    case 'gte':
      return compare(found, value) >= 0
    case 'lt':
      return compare(found, value) < 0
    case 'lte':
      return compare(found, value) <= 0
  }
}

const contains = (found: unknown, value: unknown): boolean =>
  Array.isArray(found)
    ? found.includes(value)
    : typeof found === 'string' && typeof value === 'string' && found.includes(value)

/** NaN if the types differ, which makes every comparison false. */
function compare(found: unknown, value: unknown): number {
  if (typeof found === 'number' && typeof value === 'number') return found - value
  if (typeof found === 'string' && typeof value === 'string')
    return found < value ? -1 : found > value ? 1 : 0
  return Number.NaN
}
