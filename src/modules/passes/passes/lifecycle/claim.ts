import { explainEnded } from '@/auth/ended-credential'
import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { demandPassId, noSuchPass } from '../id'
import { claimBlankTag, demandQuotaForTag, findPassById, type PassRow } from '../queries'

/** The first claim of a blank tag wins. Tags of deleted accounts answer as claimed. */
export async function claimTag(tx: Tx, userId: string, named: string): Promise<PassRow> {
  const id = demandPassId(named)
  const found = await findPassById(tx, id)
  if (!found) throw noSuchPass()
  await demandQuotaForTag(tx, userId)
  const claimed = await claimBlankTag(tx, userId, id).catch(explainEnded)
  if (!claimed) throw claimedAlready(found, userId)
  await emit(tx, 'meetpass.claimed', { userId, passId: id, passType: claimed.type })
  return claimed
}

const claimedAlready = ({ ownerId }: PassRow, userId: string) =>
  conflict(ownerId === userId ? refusals.passYours : refusals.passClaimed)
