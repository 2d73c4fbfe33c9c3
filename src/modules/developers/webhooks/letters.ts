import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { id } from '@/core/fields'
import { db } from '@/db/client'
import { letter } from '@/mail/letter'
import { findUrl } from './queries'

/** Tells an owner that a webhook was switched off. Where it goes is named, what was sent there is not. */
export const webhookDisabledLetter = letter({
  name: 'webhook-disabled',
  kind: null,
  urgency: 'important',
  data: Type.Object({ webhookId: id() }),
  write: async ({ words: { accountMails } }, { webhookId }) => {
    const found = await findUrl(db, webhookId)
    // One that was deleted, or is well again, needs no word.
    if (found === undefined || found.isActive) return null
    const { subject, happened, next, button } = accountMails.webhookDisabled
    return {
      subject,
      parts: [
        { say: happened(new URL(found.url).host) },
        { say: next },
        { button, url: `${config.baseUrl}/developer/webhooks/${webhookId}` },
      ],
    }
  },
})
