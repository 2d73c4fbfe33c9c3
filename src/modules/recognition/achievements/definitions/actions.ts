import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, invalidField, notFound } from '@/core/errors'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import type { Condition } from '@/db/tables/achievements'
import { transaction } from '@/db/transaction'
import { demandEmoji } from '@/modules/recognition/badges/change'
import { broadcast } from '@/outbox/broadcast'
import { completeAchievement } from '../progress/count'
import { completeReached, lockBadges, stopCounting } from '../progress/queries'
import type { AchievementRow } from '../queries'
import {
  AS_SORTED,
  countDefinitions,
  deleteDefinition,
  deleteProgress,
  findDefinition,
  insertDefinition,
  isPlatformBadge,
  listDefinitions,
  updateDefinition,
} from './queries'
import { Achievement, AchievementChange, AchievementInput, AchievementRequest } from './schema'

type Fields = { icon?: string | null; conditions?: Condition[] }

/** Checks what a schema cannot express. Returns the definition with a normalized icon. */
function demandValidDefinition<T extends Fields>(fields: T): T {
  for (const [index, { op, value }] of fields.conditions?.entries() ?? [])
    if (Array.isArray(value) !== (op === 'in'))
      throw invalidField(
        `conditions.${index}.value`,
        op === 'in' ? refusals.listForIn : refusals.noListFor(op),
      )
  return fields.icon ? { ...fields, icon: demandEmoji(fields.icon) } : fields
}

type Mode = Pick<Partial<AchievementRow>, 'progressMode' | 'progressField'>

function demandField({ progressMode, progressField }: Mode) {
  if (progressMode === 'distinct' && progressField == null)
    throw invalidField('progressField', refusals.neededToCount)
}

/** Locks the badge until the commit, so that the definition cannot refer to a deleted one. */
async function demandPlatformBadge(tx: Tx, slug: string | null | undefined) {
  if (slug != null && !(await isPlatformBadge(tx, slug)))
    throw invalidField('badgeSlug', refusals.platformBadge)
}

/** People for whom one change may complete an achievement: their rows stay locked until the commit. */
const AT_ONCE_MAX = 200

export const listDefinedAchievements = action({
  name: 'listDefinedAchievements',
  access: 'admin',
  reads: true,
  summary: 'List achievement definitions',
  input: PageInput,
  output: pageOf(Achievement),
  run: async (_, input) =>
    keysetPage(
      {
        list: 'achievements',
        input,
        order: AS_SORTED,
        rows: (after) => listDefinitions(db, after),
        total: await countDefinitions(db),
      },
      present,
    ),
})

export const createAchievement = action({
  name: 'createAchievement',
  access: 'admin',
  summary: 'Create an achievement',
  description: 'Only later domain events count.',
  input: AchievementRequest,
  output: Achievement,
  errors: ['conflict'],
  run: (caller, input) => {
    const definition = demandValidDefinition(input)
    demandField(definition)
    return transaction(async (tx) => {
      await demandPlatformBadge(tx, definition.badgeSlug)
      const row = await insertDefinition(tx, definition)
      if (!row) throw conflict(refusals.achievementTaken)
      const { key, eventType, targetValue, badgeSlug, enabled } = row
      await audit(tx, caller, about('create', key, { eventType, targetValue, badgeSlug, enabled }))
      broadcastChanged(tx)
      return present(row)
    })
  },
})

export const changeAchievement = action({
  name: 'changeAchievement',
  access: 'admin',
  summary: 'Change an achievement',
  description:
    'Omitted fields stay unchanged; the key cannot change. Completed achievements stay completed. Changing `eventType`, `progressMode` or `progressField` resets the progress of everyone else. Lowering `targetValue` completes it at once for up to 200 people who have reached it; the others complete it with their next counted event, or when `targetValue` is sent again.',
  input: AchievementChange,
  output: Achievement,
  errors: ['not_found'],
  run: (caller, { key, ...sent }) => {
    const change = demandValidDefinition(sent)
    return transaction(async (tx) => {
      await stopCounting(tx)
      const before = await findDefinition(tx, key)
      if (!before) throw notFound('Achievement')
      const fields = Object.keys(change)
      if (fields.length === 0) return present(before)
      demandField({ ...before, ...change })
      await demandPlatformBadge(tx, change.badgeSlug)
      // Lock order is badge, definition, holders, as in badge deletion.
      await lockBadges(tx, before.badgeSlug === null ? [] : [before.badgeSlug])
      const after = await updateDefinition(tx, key, change)
      if (countsOtherThings(before, after)) await deleteProgress(tx, key, { unfinishedOnly: true })
      if (after.enabled && 'targetValue' in change)
        for (const userId of await completeReached(tx, after, now(), AT_ONCE_MAX))
          await completeAchievement(tx, key, userId)
      await audit(tx, caller, about('update', key, { fields }))
      broadcastChanged(tx)
      return present(after)
    })
  },
})

export const deleteAchievement = action({
  name: 'deleteAchievement',
  access: 'admin',
  summary: 'Delete an achievement',
  description: "Deletes everyone's progress; awarded badges stay.",
  input: AchievementInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { key }) =>
    transaction(async (tx) => {
      await stopCounting(tx)
      await deleteProgress(tx, key, { unfinishedOnly: false })
      const deleted = await deleteDefinition(tx, key)
      if (!deleted) throw notFound('Achievement')
      await audit(tx, caller, about('delete', key, {}))
      broadcastChanged(tx)
    }),
})

const countsOtherThings = (before: AchievementRow, after: AchievementRow) =>
  before.eventType !== after.eventType ||
  before.progressMode !== after.progressMode ||
  (after.progressMode === 'distinct' && before.progressField !== after.progressField)

const about = (verb: 'create' | 'update' | 'delete', key: string, changes: Record<string, unknown>) => ({
  action: `achievement.${verb}`,
  targetType: 'achievement',
  targetId: key,
  changes,
})

/** Not a domain event: it only invalidates caches. */
const broadcastChanged = (tx: Tx) => broadcast(tx, { type: 'achievements.changed', data: {} })

const present = (row: AchievementRow): Achievement => ({ ...row, createdAt: iso(row.createdAt) })
