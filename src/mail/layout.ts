import type { Accent } from '@/config/accent'
import { config } from '@/config/config'
import { accentStyle } from '@/web/accent'
import { type Html, html, type Piece } from '@/web/html'
import colours from '@/web/styles/colours.css' with { type: 'text' }
import type { Words } from '@/words/words'
import type { Part, Written } from './letter'

/** The footer: why the letter was sent, and how to unsubscribe where possible. */
export type Foot = { reason: string; unsubscribeUrl: string | null }

/**
 * The layout of all letters. Styles are inline, because many mail clients strip style sheets; the sheet only adds the dark theme.
 * Nothing is loaded from the network.
 */
export function prettyForm({ subject, title = subject, parts }: Written, foot: Foot, words: Words): string {
  return html`<!doctype html>
<html lang="${words.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${NIGHT}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${DAY.ground}">
<div role="article" lang="${words.language}" class="ground" style="padding:24px 12px;${FONT};color:${DAY.ink};background:${DAY.ground}">
<div class="paper" style="max-width:34rem;margin:0 auto;padding:28px 24px;background:${DAY.paper};border:1px solid ${DAY.line};border-radius:14px">
<p class="quiet" style="margin:0 0 18px;font-size:14px;font-weight:600;color:${DAY.quiet}" dir="auto">${config.siteName}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere" dir="auto">${title}</h1>
${parts.map((part) => html`${pretty(part)}\n`)}</div>
<div class="quiet" style="max-width:34rem;margin:16px auto 0;padding:0 24px;font-size:13px;line-height:1.5;color:${DAY.quiet}">
<p style="margin:0 0 6px">${foot.reason}</p>
<p style="margin:0">${links(foot, words).flatMap(([text, url], i): Piece[] => [i > 0 && ' · ', html`<a class="quiet" href="${url}" style="color:${DAY.quiet}">${text}</a>`])}</p>
</div>
</div>
</body>
</html>
`.text
}

export function plainForm({ subject, title = subject, parts }: Written, foot: Foot, words: Words): string {
  const said = [title, ...parts.map(plain)]
  const below = [foot.reason, ...links(foot, words).map(([text, url]) => `${text}: ${url}`)]
  return `${said.join('\n\n')}\n\n-- \n${below.join('\n')}\n`
}

/** The last line is the site's address, by which readers recognize the sender. */
const links = ({ unsubscribeUrl }: Foot, { mail }: Words): [text: string, url: string][] => [
  ...(unsubscribeUrl === null
    ? []
    : [
        [mail.stop, unsubscribeUrl] as [string, string],
        [mail.settings, `${config.baseUrl}/settings/mail`] as [string, string],
      ]),
  [mail.sentBy(config.siteName), config.baseUrl],
]

const { day: DAY, night: DARK } = mailColours(config.site.accent)
const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:16px;line-height:1.5"
/** `!important` overrides the inline styles. */
const NIGHT = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.ground{background:${DARK.ground}!important;color:${DARK.ink}!important}.paper{background:${DARK.paper}!important;border-color:${DARK.line}!important}.quiet{color:${DARK.quiet}!important}.link{color:${DARK.accent}!important}.button{background:${DARK.accent}!important;color:${DARK.onAccent}!important}.line{border-color:${DARK.line}!important}.code{border-color:${DARK.line}!important;background:${DARK.ground}!important;color:${DARK.ink}!important}}`

function pretty(part: Part): Html {
  if ('say' in part) return html`<p style="margin:0 0 14px;overflow-wrap:anywhere" dir="auto">${part.say}</p>`
  if ('quiet' in part)
    return html`<p class="quiet" style="margin:0 0 12px;font-size:14px;color:${DAY.quiet};overflow-wrap:anywhere" dir="auto">${part.quiet}</p>`
  if ('button' in part)
    return html`<p style="margin:4px 0 20px"><a class="button" href="${part.url}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${DAY.accent};color:${DAY.onAccent};font-weight:600;text-decoration:none">${part.button}</a></p>`
  if ('code' in part)
    return html`<p class="code" style="margin:0 0 20px;padding:14px 12px;border:1px solid ${DAY.line};border-radius:10px;background:${DAY.ground};text-align:center;font-size:34px;line-height:1.2;font-weight:700;letter-spacing:6px">${part.code}</p>`
  if ('facts' in part)
    return html`<table role="presentation" style="margin:0 0 16px;border-collapse:collapse;${FONT};color:inherit">${part.facts.map(
      ([name, value]) =>
        html`<tr><td class="quiet" style="padding:3px 16px 3px 0;vertical-align:top;font-size:14px;color:${DAY.quiet}">${name}</td><td style="padding:3px 0;overflow-wrap:anywhere" dir="auto">${value}</td></tr>`,
    )}</table>`
  return html`<ul style="margin:0 0 16px;padding:0;list-style:none">${part.list.map(
    ({ text, about, url }) =>
      html`<li class="line" style="padding:10px 0;border-top:1px solid ${DAY.line};overflow-wrap:anywhere">${url === undefined ? html`<span dir="auto">${text}</span>` : html`<a class="link" dir="auto" href="${url}" style="color:${DAY.accent};font-weight:600;text-decoration:none">${text}</a>`}${about !== undefined && html`<br><span class="quiet" dir="auto" style="font-size:14px;color:${DAY.quiet}">${about}</span>`}</li>`,
  )}</ul>`
}

function plain(part: Part): string {
  if ('say' in part) return part.say
  if ('quiet' in part) return part.quiet
  if ('button' in part) return `${part.button}:\n${part.url}`
  if ('code' in part) return part.code
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  return part.list
    .map(({ text, about, url }) => [`* ${text}`, about, url].filter(Boolean).join('\n  '))
    .join('\n')
}

type Colours = Record<'ground' | 'paper' | 'ink' | 'quiet' | 'line' | 'accent' | 'onAccent', string>

/** The colours of the pages, by day and by night. Mail clients support no CSS variables. */
function mailColours(accent: Accent | null): { day: Colours; night: Colours } {
  const sheet = colours + accentStyle(accent)
  const both = (name: string) => {
    const found = [...sheet.matchAll(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`, 'g'))].at(-1)
    return { day: found?.[1] as string, night: found?.[2] as string }
  }
  const at = (time: 'day' | 'night'): Colours => ({
    ground: both('ground')[time],
    paper: both('paper')[time],
    ink: both('ink')[time],
    quiet: both('quiet')[time],
    line: both('line')[time],
    accent: both('accent')[time],
    onAccent: both('on-accent')[time],
  })
  return { day: at('day'), night: at('night') }
}
