import { config } from '@/config/config'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readFeedToken, rotateFeedToken } from '@/modules/access/feed-tokens/actions'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { settingsPath } from './addresses'
import { askedOf, deedForm, done, fold } from './parts'

const PATH = settingsPath('feeds')

/** Formats for other programs than calendars. */
const OTHERS = [
  ['rss', 'RSS'],
  ['json', 'JSON Feed'],
] as const

export async function showFeeds(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const { settings } = wordsFor(visit)
  const { feedToken } = await invoke(visit, readFeedToken, () => ({}))
  const address = (format: string) => `${config.baseUrl}/feeds/me/${feedToken}.${format}`
  return settingsPage(visit, 'feeds', {
    islands: ['copy'],
    body: html`<p class="quiet">${settings.feedsText}</p>
${summary(sent)}${done(askedOf(visit).has('rotated') && settings.feedRotated)}<h2 id="feed">${settings.feedAddress}</h2>
<p><code class="secret" id="address">${address('ics')}</code></p>
<p class="buttons"><a class="button" href="${address('ics').replace(/^https?:/, 'webcal:')}">${settings.subscribe}</a><button class="button plain" type="button" data-copy="address" data-done="${settings.copied}" hidden>${settings.copy}</button></p>
<p class="after small quiet">${settings.feedSecret}</p>
<p class="small">${settings.feedOther} ${OTHERS.map(
      ([format, name], place) => html`${place > 0 && ', '}<a href="${address(format)}">${name}</a>`,
    )}</p>
${fold({
  title: settings.rotateFeed,
  text: settings.rotateFeedText,
  isAlarm: true,
  body: deedForm(visit, { name: 'rotate', button: settings.rotateFeed, kind: 'danger' }),
})}`,
  })
}

export const changeFeeds = forms({
  rotate: deed(rotateFeedToken, { fields: {}, page: showFeeds, done: () => `${PATH}?rotated` }),
})
