import { QUIET_ZONE, symbolOf } from '@/modules/passes/symbols/qr'
import { svgOf } from '@/modules/passes/symbols/svg'
import { Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Link } from '@/web/message'
import { moment } from '@/web/when'
import type { Words } from '@/words/words'

type Limited = { maxUses: number | null; currentUses: number; expiresAt: string | null }

/** Uses of a code or link, and its limits. */
export const limitsLine = ({ maxUses, currentUses, expiresAt }: Limited, zone: string, words: Words): Html =>
  html`${words.manage.uses(currentUses, maxUses)}${expiresAt && html` · ${words.manage.until} ${moment(new Date(expiresAt), zone, words)}`}`

/** A QR code that fills its container. */
export const qr = (address: string, title: string): Html =>
  new Html(`<div class="symbol">${svgOf(symbolOf(address, 'M'), QUIET_ZONE, title)}</div>`)

type Shown = { title: string; text: string; secrets: readonly { label: string; value: string }[]; to: Link }

/** A secret that is shown once: only its hash is stored. */
export const secretPage = ({ title, text, secrets, to }: Shown, { developer }: Words): Page => ({
  title,
  islands: ['copy'],
  body: html`<div class="card"><h1>${title}</h1>
<p>${text}</p>
${secrets.map(({ label, value }, place) => copyable(`secret-${place}`, label, value, developer))}
<a class="button wide" href="${to.href}">${to.label}</a></div>`,
})

/** Text with a copy button if scripts run. */
export const copyable = (
  id: string,
  label: string,
  value: string,
  words: { copy: string; copied: string },
): Html =>
  html`<p class="after"><strong>${label}</strong></p>
<pre tabindex="0"><code id="${id}">${value}</code></pre>
<button type="button" class="button plain small" data-copy="${id}" data-done="${words.copied}" hidden>${words.copy}</button>`
