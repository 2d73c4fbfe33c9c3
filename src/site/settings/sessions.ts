import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { endOtherSessions, endSession, listSessions } from '@/modules/access/sessions/actions'
import { pageAsked, pager } from '@/site/parts/list'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { settingsPath } from './addresses'
import { askedOf, dayIn, deedForm, done, fold } from './parts'

const PATH = settingsPath('sessions')

export async function showSessions(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const asked = askedOf(visit)
  const { data, pagination } = await invoke(visit, listSessions, () => ({ limit: 50, ...pageAsked(asked) }))
  const isAlone = data.length === 1 && pagination.prevCursor === undefined && data[0]?.current
  return settingsPage(visit, 'sessions', {
    body: html`<p class="quiet">${settings.sessionsText}</p>
${summary(sent)}${done(asked.has('done') && settings.changed)}<ul class="rows" role="list">
${data.map(({ id, userAgent, createdAt, lastSeenAt, current }) => {
  const device = named(userAgent, words)
  return html`<li><div class="what"><h2>${device}${current && html` <span class="mark">${settings.thisOne}</span>`}</h2>
<p class="quiet small">${settings.signedInSince} ${dayIn(words, createdAt)}, ${settings.lastSeen} ${dayIn(words, lastSeenAt)}</p></div>
${
  !current &&
  html`<div class="end">${deedForm(visit, {
    name: 'end',
    hidden: { id },
    button: settings.endSession,
    kind: 'small plain',
    about: `${settings.endSession}: ${device}`,
  })}</div>`
}</li>\n`
})}</ul>${pager(pagination, asked, words)}
${
  isAlone
    ? html`<p class="quiet">${settings.onlyHere}</p>`
    : fold({
        title: settings.endOthers,
        text: settings.endOthersText,
        isAlarm: true,
        body: deedForm(visit, { name: 'end-others', button: settings.endOthers, kind: 'danger' }),
      })
}`,
  })
}

function named(userAgent: string | null, { settings }: Words): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser && system) return `${browser} ${settings.on} ${system}`
  return browser ?? system ?? settings.unknownDevice
}

export const changeSessions = forms({
  end: deed(endSession, {
    fields: { id: null },
    page: showSessions,
    done: () => `${PATH}?done`,
    ignoredErrors: ['not_found'],
  }),
  'end-others': deed(endOtherSessions, { fields: {}, page: showSessions, done: () => `${PATH}?done` }),
})

/** By user agent token; browsers that imitate others come first. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPiOS\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (known: [RegExp, string][], userAgent: string) =>
  known.find(([pattern]) => pattern.test(userAgent))?.[1]

/** The browser and system of a user agent; undefined if unknown. */
function deviceOf(userAgent: string | null): { browser?: string; system?: string } {
  if (userAgent === null) return {}
  return { browser: nameIn(BROWSERS, userAgent), system: nameIn(SYSTEMS, userAgent) }
}
