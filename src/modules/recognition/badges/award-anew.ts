import { conflict, notFound } from '@/core/errors'
import type { Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import { award } from './award'
import type { AwardRow, BadgeRow } from './queries'

/** Gives a badge to somebody who must not hold it yet. */
export async function awardAnew(tx: Tx, badge: BadgeRow, userId: string, source: AwardRow['source']) {
  if (!(await award(tx, badge, userId, source).catch(explainGone)))
    throw conflict('This person holds the badge already')
}

/** The badge or the person was deleted between the read and the insert. */
const explainGone = explain({ badge_awards_gone: () => notFound('Badge or person') })
