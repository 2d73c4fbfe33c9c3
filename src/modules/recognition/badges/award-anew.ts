import { conflict, notFound } from '@/core/errors'
import type { Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import { award } from './award'
import type { AwardRow, BadgeRow } from './queries'

/** Awards a badge, or throws 409 if the person already holds it. */
export async function awardAnew(tx: Tx, badge: BadgeRow, userId: string, source: AwardRow['source']) {
  if (!(await award(tx, badge, userId, source).catch(explainGone)))
    throw conflict('This person holds the badge already')
}

const explainGone = explain({ badge_awards_gone: () => notFound('Badge or person') })
