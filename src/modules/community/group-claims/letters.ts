import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { id } from '@/core/fields'
import { db } from '@/db/client'
import { named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { findClaim } from './queries'

/** Leaves out the administrators' internal notes. */
export const claimDecidedLetter = letter({
  name: 'claim-decided',
  kind: 'claimDecided',
  urgency: 'important',
  data: Type.Object({ claimId: id() }),
  write: async ({ reader, words: { newsMails } }, { claimId }) => {
    const found = await findClaim(db, claimId)
    if (!found || found.user.id !== reader?.userId || found.claim.status === 'pending') return null
    const { group } = found
    const name = named(group.name)
    if (found.claim.status === 'approved') {
      const { subject, title, text, button } = newsMails.claimApproved
      const url = `${config.baseUrl}/manage/groups/${group.id}`
      return { subject: subject(name), title, parts: [{ say: text(name) }, { button, url }] }
    }
    const { subject, title, text, next, button } = newsMails.claimRejected
    const url = `${config.baseUrl}/groups/${group.urlname}`
    return { subject: subject(name), title, parts: [{ say: text(name) }, { say: next }, { button, url }] }
  },
})
