import { invalidField } from '@/core/errors'
import type { Tx } from '@/db/client'
import type { Condition } from '@/db/tables/achievements'
import { demandEmoji } from '@/modules/recognition/badges/icon'
import type { AchievementRow } from '../queries'
import { isPlatformBadge } from './queries'

type Fields = { icon?: string | null; conditions?: Condition[] }

/** Checks what a schema cannot express. Returns the definition with a normalized icon. */
export function demandValidDefinition<T extends Fields>(fields: T): T {
  for (const [index, { op, value }] of fields.conditions?.entries() ?? [])
    if (Array.isArray(value) !== (op === 'in'))
      throw invalidField(
        `conditions.${index}.value`,
        op === 'in' ? 'must be a list for in' : `must not be a list for ${op}`,
      )
  return fields.icon ? { ...fields, icon: demandEmoji(fields.icon) } : fields
}

type Mode = Pick<Partial<AchievementRow>, 'progressMode' | 'progressField'>

export function demandField({ progressMode, progressField }: Mode) {
  if (progressMode === 'distinct' && progressField == null)
    throw invalidField('progressField', 'is required to count different values')
}

/** Locks the badge until the commit, so that the definition cannot refer to a deleted one. */
export async function demandPlatformBadge(tx: Tx, slug: string | null | undefined) {
  if (slug != null && !(await isPlatformBadge(tx, slug)))
    throw invalidField('badgeSlug', 'must be the slug of a badge of the platform')
}
