import type { Webhook } from '@/modules/developers/webhooks/schema'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

export const stateOf = ({ isActive, disabledReason }: Webhook, { developer }: Words): Html =>
  isActive
    ? html`<span class="mark">${developer.active}</span>`
    : html`<span class="mark alarm">${developer.inactive}</span>${disabledReason && html`<p class="small">${disabledReason}</p>`}`
