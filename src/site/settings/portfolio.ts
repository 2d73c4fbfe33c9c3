import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import {
  addPortfolioItem,
  changePortfolioItem,
  listPortfolio,
  removePortfolioItem,
} from '@/modules/people/portfolio/actions'
import type { PortfolioItem } from '@/modules/people/portfolio/schema'
import { emptyState, pageAsked, pager } from '@/site/parts/list'
import { area, line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { settingsPath } from './addresses'
import { askedOf, deedForm, done, fold } from './parts'

const PATH = settingsPath('portfolio')

export async function showPortfolio(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const asked = askedOf(visit)
  const { data, pagination } = await invoke(visit, listPortfolio, () => ({ limit: 50, ...pageAsked(asked) }))
  const isAbout = (name: string, id?: string) =>
    sent && asked.get('do') === name && (id === undefined || sent.values.get('id') === id) ? sent : undefined
  const adding = isAbout('add')
  return settingsPage(visit, 'portfolio', {
    body: html`<p class="quiet">${settings.portfolioText}</p>
${summary(sent)}${done(asked.has('saved') && settings.saved)}${
  data.length === 0 && emptyState({ title: settings.portfolioEmpty, text: settings.portfolioEmptyText })
}${data.map((item) => card(visit, item, words, isAbout('change', item.id)))}${pager(pagination, asked, words)}
${fold({
  title: settings.addItem,
  isOpen: adding !== undefined || data.length === 0,
  body: deedForm(visit, { name: 'add', fields: fields('new', words, adding), button: settings.addItem }),
})}`,
  })
}

const card = (visit: Visit, item: PortfolioItem, words: Words, sent: Sent | undefined): Html => {
  const { settings } = words
  const { id, title, description, url } = item
  return html`<article class="card" aria-labelledby="t-${id}">
<h2 class="first" id="t-${id}" dir="auto">${title}</h2>
${description && html`<p class="letter" dir="auto">${description}</p>\n`}${url && html`<p><a href="${url}" rel="nofollow noopener noreferrer">${url}</a></p>\n`}${fold(
  {
    title: settings.changeItem,
    isOpen: sent !== undefined,
    body: deedForm(visit, {
      name: 'change',
      hidden: { id },
      fields: fields(id, words, sent, item),
      button: words.frame.save,
    }),
  },
)}
${fold({
  title: settings.removeItem,
  text: settings.removeItemText(title),
  isAlarm: true,
  body: deedForm(visit, { name: 'remove', hidden: { id }, button: settings.removeItem, kind: 'danger' }),
})}
</article>\n`
}

const fields = (own: string, { settings }: Words, sent?: Sent, item?: PortfolioItem): Html => html`
${line({ name: 'title', id: `title-${own}`, label: settings.itemTitle, value: item?.title, attributes: html` required maxlength="200" dir="auto"` }, sent)}
${area({ name: 'description', id: `description-${own}`, label: settings.itemDescription, value: item?.description, rows: 3, attributes: html` maxlength="500"` }, sent)}
${line({ name: 'url', id: `url-${own}`, label: settings.itemUrl, type: 'url', value: item?.url, attributes: html` placeholder="https://" maxlength="2048"` }, sent)}
${line({ name: 'sortOrder', id: `order-${own}`, label: settings.itemOrder, hint: settings.itemOrderHint, type: 'number', value: item?.sortOrder ?? 0, attributes: html` min="0" inputmode="numeric"` }, sent)}
`

const LABELS = ({ settings }: Words) => ({
  title: settings.itemTitle,
  description: settings.itemDescription,
  url: settings.itemUrl,
  sortOrder: settings.itemOrder,
})

export const changePortfolio = forms({
  add: deed(addPortfolioItem, { fields: LABELS, page: showPortfolio, done: () => `${PATH}?saved` }),
  change: deed(changePortfolioItem, {
    fields: (words) => ({ id: null, ...LABELS(words) }),
    page: showPortfolio,
    done: () => `${PATH}?saved`,
  }),
  remove: deed(removePortfolioItem, {
    fields: { id: null },
    page: showPortfolio,
    done: () => `${PATH}?saved`,
    ignoredErrors: ['not_found'],
  }),
})
