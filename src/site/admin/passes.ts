import { THEME_COLORS } from '@/config/accent'
import type { Visit } from '@/http/visit'
import { createPassDesign, listPassDesigns } from '@/modules/passes/designs/actions'
import { listMintedTags, mintTags } from '@/modules/passes/tags/actions'
import { chips, emptyState, list, pageAsked } from '@/site/parts/list'
import { deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { choice, line } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { moment } from '@/web/when'
import { adminContext, adminPage, pathOf } from './admin-page'

export async function showTags(visit: Visit, _: Params, sent?: Sent, csv?: string): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query, caller } = context
  const { admin, manage } = words
  const asked = query.get('claimed')
  const claimed = asked === 'true' ? true : asked === 'false' ? false : undefined
  const page = await ask(visit, listMintedTags, {}, { claimed, ...pageAsked(query) })
  const designs = await ask(visit, listPassDesigns, {}, { limit: 100 })
  return adminPage(
    context,
    'tags',
    html`${csv && html`<div class="notice" role="status"><p>${admin.minted}</p><a class="button" href="${csv}">${manage.download}</a></div>`}
<div class="columns"><div>${chips(admin.rooms.tags, 'claimed', asked ?? '', [
      { value: '', label: admin.all },
      { value: 'true', label: admin.claimed },
      { value: 'false', label: admin.blank },
    ])}
${list({
  page,
  query,
  words,
  row: (
    tag,
  ) => html`<li><div class="what"><p class="name"><a href="/pass/${tag.id}"><code>${tag.id}</code></a></p><p class="quiet small">${moment(new Date(tag.createdAt), null, words)}${tag.designId && html` · <bdi>${tag.designId}</bdi>`}</p></div><div class="end"><span class="mark quiet">${tag.claimed ? admin.claimed : admin.blank}</span></div></li>
`,
  empty: emptyState({ title: admin.noTags, text: admin.noTagsText }),
})}</div>
<aside><section class="card"><h2 class="first">${admin.mint}</h2>
${deedForm(caller, {
  deed: 'mint',
  body: html`${line({ name: 'count', label: admin.fields.count, type: 'number', value: 10, attributes: html` required min="1" max="1000"` }, sent)}
${choice({ name: 'designId', label: admin.fields.designId, options: [{ value: '', label: admin.noDesign }, ...designs.data.map(({ id, name }) => ({ value: id, label: name }))] }, sent)}
<button class="button wide">${admin.mint}</button>`,
})}</section></aside></div>`,
  )
}

export const tagsForms = forms({
  mint: deed(mintTags, {
    fields: ({ admin: { fields } }) => ({ count: fields.count, designId: fields.designId }),
    page: showTags,
    done: (_, made, visit, params) =>
      showTags(visit, params, undefined, new URL(made?.csv.url ?? '').pathname),
  }),
})

export async function showDesigns(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query, caller } = context
  const { admin, manage } = words
  const page = await ask(visit, listPassDesigns, {}, pageAsked(query))
  return adminPage(
    context,
    'designs',
    html`<div class="columns"><div>${list({
      page,
      query,
      words,
      row: ({
        id,
        name,
        themeColor,
      }) => html`<li><div class="what"><h2 dir="auto">${name}</h2><p class="quiet small"><code>${id}</code>${themeColor && html` · ${themeColor}`}</p></div></li>
`,
      empty: emptyState({ title: admin.nothing }),
    })}</div>
<aside><section class="card"><h2 class="first">${admin.newDesign}</h2>
${deedForm(caller, {
  deed: 'create',
  body: html`${line({ name: 'id', label: manage.fields.slug, hint: manage.hints.slug, attributes: html` required maxlength="60" autocapitalize="none"` }, sent)}
${line({ name: 'name', label: manage.fields.name, attributes: html` required maxlength="60" dir="auto"` }, sent)}
${line({ name: 'imageUrl', label: manage.fields.photoUrl, type: 'url', attributes: html` maxlength="2048"` }, sent)}
${choice({ name: 'themeColor', label: manage.fields.themeColor, options: [{ value: '', label: manage.noColor }, ...THEME_COLORS.map((value) => ({ value, label: manage.colors[value] }))] }, sent)}
<button class="button wide">${admin.newDesign}</button>`,
})}</section></aside></div>`,
  )
}

export const designsForms = forms({
  create: deed(createPassDesign, {
    fields: ({ manage: { fields } }) => ({
      id: fields.slug,
      name: fields.name,
      imageUrl: fields.photoUrl,
      themeColor: fields.themeColor,
    }),
    page: showDesigns,
    done: () => `${pathOf('designs')}?done=saved`,
  }),
})
