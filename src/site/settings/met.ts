import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listConnections, removeConnection } from '@/modules/passes/connections/actions'
import { emptyState, pageAsked, pager } from '@/site/parts/list'
import { face } from '@/site/parts/person'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { MET, settingsPath } from './addresses'
import { askedOf, dayIn, deedForm, done, fold } from './parts'

const DIRECTIONS = ['inbound', 'outbound'] as const

export async function showMet(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const asked = askedOf(visit)
  const direction = DIRECTIONS.find((one) => one === asked.get('direction'))
  const { data, pagination } = await invoke(visit, listConnections, () => ({
    limit: 30,
    ...pageAsked(asked),
    ...(direction && { direction }),
  }))
  return settingsPage(visit, 'passes', {
    title: settings.met,
    body: html`<p class="quiet">${settings.metText}</p>
${summary(sent)}${done(asked.has('done') && settings.changed)}<ul class="chips" role="list"><li><a class="chip" href="${MET}"${!direction && html` aria-current="true"`}>${settings.metAll}</a></li>${DIRECTIONS.map(
      (one) =>
        html`<li><a class="chip" href="${MET}?direction=${one}"${direction === one && html` aria-current="true"`}>${settings.metDirections[one]}</a></li>`,
    )}</ul>
${
  data.length === 0
    ? emptyState({
        title: settings.metEmpty,
        text: settings.metEmptyText,
        to: { href: settingsPath('passes'), label: settings.pages.passes },
      })
    : html`<ul class="rows" role="list">
${data.map(
  ({
    id,
    connectedUserId,
    connectedName,
    connectedUsername,
    connectedAvatarUrl,
    createdAt,
    direction: by,
  }) => {
    const name = connectedName ?? settings.stranger
    return html`<li>${face({ id: connectedUserId ?? id, name: connectedName ?? '?', avatarUrl: connectedAvatarUrl })}<div class="what"><p class="name" dir="auto">${
      connectedUsername ? html`<a href="/u/${connectedUsername}">${name}</a>` : name
    }</p>
<p class="quiet small">${settings.metDirections[by]}${createdAt && html`, ${dayIn(words, createdAt)}`}</p>
${fold({
  title: html`${settings.removeMet}<span class="hidden">: ${name}</span>`,
  text: settings.removeMetText,
  body: deedForm(visit, { name: 'remove', hidden: { id }, button: settings.removeMet, kind: 'danger' }),
})}</div></li>\n`
  },
)}</ul>`
}${pager(pagination, asked, words)}`,
  })
}

export const changeMet = forms({
  remove: deed(removeConnection, {
    fields: { id: null },
    page: showMet,
    done: () => `${MET}?done`,
    ignoredErrors: ['not_found'],
  }),
})
