import { config } from '@/config/config'
import { db } from '@/db/client'
import { sendMail } from '@/outbound/mail/send'
import { html } from '@/web/html'
import { findOwnerAddresses } from './dispatch/queries'
import type { WebhookRow } from './queries'

/** Tells the owners of webhooks that were switched off. Where it goes is named, what was sent there is not. */
export async function mailOwners(webhooks: WebhookRow[]): Promise<void> {
  const addresses = await findOwnerAddresses(
    db,
    webhooks.map(({ ownerId }) => ownerId),
  )
  for (const { ownerId, url } of webhooks) {
    const to = addresses.get(ownerId)
    if (to) await sendMail({ to, subject: 'Your webhook was switched off', ...letter(new URL(url).host) })
  }
}

const letter = (host: string) => {
  const text = `Your webhook at ${host} was switched off: it failed for five days, or it said that it is gone.

Once it is well again, switch it on with PATCH /v1/developer/webhooks/{id} {"isActive": true}. What could
not be delivered can be sent again; what happens while it is off is not kept for it. See ${config.baseUrl}/docs.`
  return { text, html: html`${text.split('\n\n').map((part) => html`<p>${part}</p>`)}`.text }
}
