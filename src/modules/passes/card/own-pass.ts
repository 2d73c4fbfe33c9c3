import { passUrl, printedUrl, shownCode } from '@/modules/passes/passes/id'
import type { OwnedPass } from '@/modules/passes/passes/owned-pass'
import { QUIET_ZONE, symbolOf } from '@/modules/passes/symbols/qr'
import { svgOf } from '@/modules/passes/symbols/svg'
import { Html, html } from '@/web/html'
import { clipped } from './clipped'
import { type Card, documentOf } from './document'
import { themeOf } from './theme'

const SHOWS = {
  profile: 'Your card',
  contact: 'Your card, and first of all the contact to save',
  follow: 'Your card, and first of all the button to follow you',
}

/** How an owner meets people by it: a tag is touched, and what is shown on a screen is scanned. */
const HOW = {
  nfc: 'Whoever holds a phone to your tag sees your card. So does whoever scans this code with a camera.',
  qrcode: 'Hold it up: whoever scans it with a phone’s camera sees your card.',
}

/** An owner's own pass. `people` is how many they met by it, `all` by any pass, their own or another's. */
export function ownPassPage(known: OwnedPass, { people, all }: { people: number; all: number }): Card {
  const { pass, owner } = known
  const { id, label, action, autoFollow, type } = pass
  return documentOf(200, {
    title: 'Your pass',
    theme: themeOf(known),
    layout: 'wide own',
    main: html`<header class="who">
<h1>Your pass</h1>
<p class="quiet">${HOW[type]}</p>
</header>
<section class="act" aria-label="Symbol">
<div class="symbol">${new Html(svgOf(symbolOf(printedUrl(id), 'M'), QUIET_ZONE, 'QR code of your pass'))}</div>
<p class="code">${shownCode(id)}</p>
</section>
<section class="about" aria-label="This pass">
<dl>
<div><dt>Met by this pass</dt><dd>${counted(people)}</dd></div>
<div><dt>Met in all</dt><dd>${counted(all)}</dd></div>
<div><dt>This pass</dt><dd dir="auto">${label ? clipped(label, 60) : type === 'nfc' ? 'A tag' : 'Your QR code'}</dd></div>
<div><dt>People who tap it see</dt><dd>${owner.isPublic ? SHOWS[action] : 'Your name and picture: your profile is private'}</dd></div>
${autoFollow && html`<div><dt>Members who tap it</dt><dd>Follow you at once</dd></div>\n`}<div><dt>Its address</dt><dd><code class="address">${passUrl(id)}</code></dd></div>
</dl>
</section>`,
  })
}

const counted = (people: number) => (people === 1 ? '1 person' : `${people} people`)
