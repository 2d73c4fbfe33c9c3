import { THEME_COLORS } from '@/config/accent'
import { clipped } from '@/core/text'
import { passUrl, printedUrl, shownCode } from '@/modules/passes/passes/id'
import { type OwnedPass, ownerShown } from '@/modules/passes/passes/owner-shown'
import { QUIET_ZONE, symbolOf } from '@/modules/passes/symbols/qr'
import { svgOf } from '@/modules/passes/symbols/svg'
import { Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import { type Card, documentOf } from './document'

const NAMES: ReadonlySet<string | null | undefined> = new Set(THEME_COLORS)

/** The color of the design, else of the owner, else the default. */
export const themeOf = ({ design, owner }: OwnedPass): string =>
  [design?.themeColor, ownerShown(owner).themeColor].find((name) => NAMES.has(name)) ??
  (THEME_COLORS[Bun.hash.crc32(owner.id) % THEME_COLORS.length] as string)

/** `people` counts connections by this pass, `all` those by any pass, in either direction. */
export function ownPassPage(
  known: OwnedPass,
  { people, all }: { people: number; all: number },
  words: Words,
): Card {
  const said = words.passes
  const { pass, owner } = known
  const { id, label, action, autoFollow, type } = pass
  return documentOf(200, words, {
    title: said.own,
    theme: themeOf(known),
    layout: 'wide own',
    main: html`<header class="who">
<h1>${said.own}</h1>
<p class="quiet">${said.how[type]}</p>
</header>
<section class="act" aria-label="${said.symbol}">
<div class="symbol">${new Html(svgOf(symbolOf(printedUrl(id), 'M'), QUIET_ZONE, said.qr))}</div>
<p class="code">${shownCode(id)}</p>
</section>
<section class="about" aria-label="${said.thisPass}">
<dl>
<div><dt>${said.metByThis}</dt><dd>${said.people(people)}</dd></div>
<div><dt>${said.metInAll}</dt><dd>${said.people(all)}</dd></div>
<div><dt>${said.thisPass}</dt><dd dir="auto">${label ? clipped(label, 60) : type === 'nfc' ? said.aTag : said.yourQr}</dd></div>
<div><dt>${said.theySee}</dt><dd>${owner.isPublic ? said.shows[action] : said.isPrivate}</dd></div>
${autoFollow && html`<div><dt>${said.members}</dt><dd>${said.followAtOnce}</dd></div>\n`}<div><dt>${said.address}</dt><dd><code class="address">${passUrl(id)}</code></dd></div>
</dl>
</section>`,
  })
}
