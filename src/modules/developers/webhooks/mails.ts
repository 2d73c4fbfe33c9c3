import { config } from '@/config/config'
import type { Mail } from '@/outbound/mail/mail'
import { html } from '@/web/html'

/** Tells an owner that a webhook was switched off. Where it goes is named, what was sent there is not. */
export function disabledMail(to: string, url: string): Mail {
  const text = `Your webhook at ${new URL(url).host} was switched off: it failed for five days, or it said that it is gone.

Once it is well again, switch it on with PATCH /v1/developer/webhooks/{id} {"isActive": true}. What could
not be delivered can be sent again; what happens while it is off is not kept for it. See ${config.baseUrl}/docs.`
  return {
    to,
    subject: 'Your webhook was switched off',
    text,
    html: html`${text.split('\n\n').map((part) => html`<p>${part}</p>`)}`.text,
  }
}
