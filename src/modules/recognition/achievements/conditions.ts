import type { Condition } from '@/db/tables/achievements'

/** Whether a domain event counts: every condition holds for its data. */
export const matches = (conditions: readonly Condition[], data: unknown): boolean =>
  conditions.every((condition) => holds(condition, data))

/** A field of the data, if the data itself has it: a property that every object inherits is no field. */
export const fieldOf = (data: unknown, field: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, field)
    ? (data as Record<string, unknown>)[field]
    : undefined

function holds({ field, op, value }: Condition, data: unknown): boolean {
  const found = fieldOf(data, field)
  // A missing field differs from everything, and no other comparison holds for it.
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

/** Numbers by size, text letter by letter. Different kinds have no order, and nothing is true of NaN. */
function compare(found: unknown, value: unknown): number {
  if (typeof found === 'number' && typeof value === 'number') return found - value
  if (typeof found === 'string' && typeof value === 'string')
    return found < value ? -1 : found > value ? 1 : 0
  return Number.NaN
}
