import type { Visit } from '@/http/visit'
import { deleteGroup, updateGroup } from '@/modules/community/groups/manage/actions'
import { leaveStaff } from '@/modules/community/groups/staff/actions'
import { ownPicture } from '@/modules/passes/card/face'
import { done } from '@/site/parts/list'
import { pictureForm } from '@/site/parts/picture-form'
import { danger, deedForm, press } from '@/site/parts/press'
import { line } from '@/web/fields'
import { deed, forms, preview, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { alarm, summary } from '@/web/problem'
import { type GroupContext, groupContext, groupPage } from './group-page'
import { groupFields, groupLabels } from './new-group'
import { groupAt, groupPath, MANAGE } from './paths'

export async function showGroupSettings(
  visit: Visit,
  params: Params,
  sent?: Sent,
  problem?: string,
): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, caller, query, group, isManager } = context
  const { manage, frame } = words
  const page = groupPage(
    context,
    '/settings',
    manage.settings,
    html`<div class="text">${done(query, manage.done)}${summary(sent)}${alarm(problem)}${
      isManager
        ? html`${pictures(context)}${deedForm(caller, {
            deed: 'save',
            body: html`${groupFields(words, group, sent)}
<button class="button wide">${frame.save}</button>`,
          })}`
        : html`<p class="notice">${manage.managersOnly}</p>`
    }
<section class="details">
${danger(caller, { deed: 'leave', title: manage.leave, text: manage.leaveText, label: manage.leave })}
${
  group.userRole === 'owner' &&
  danger(caller, {
    deed: 'delete',
    title: manage.deleteGroup,
    text: manage.deleteGroupText,
    label: manage.deleteGroup,
    more: line({
      name: 'confirm',
      label: manage.deleteGroupConfirm(group.urlname ?? ''),
      attributes: html` required autocomplete="off" autocapitalize="none"`,
    }),
  })
}</section></div>`,
  )
  return { ...page, islands: ['upload'] }
}

/** The group's pictures, with upload forms. */
function pictures({ caller, group, words }: GroupContext): Html {
  const { manage } = words
  const photo = ownPicture(group.photoUrl)
  const hero = ownPicture(group.heroImageUrl)
  const sender = (id: 'photo' | 'hero', label: string) =>
    pictureForm(caller, { action: `${groupPath(group.id)}/settings/pictures/${id}`, id, label }, words)
  const remover = (deed: string, field: string) =>
    press(caller, { deed, fields: { [field]: '' }, label: words.settings.removePicture, kind: 'small plain' })
  return html`<section class="card"><div class="sent">${photo && html`<img class="face large" src="${photo}?w=160" alt="" width="112" height="112">`}
${sender('photo', manage.picture)}</div>${group.photoUrl && remover('remove-photo', 'photoUrl')}</section>
<section class="card">${hero && html`<div class="cover banner"><img src="${hero}?w=1280" alt="" width="1280" height="400"></div>`}
<div class="sent">${sender('hero', manage.coverPicture)}</div>${group.heroImageUrl && remover('remove-hero', 'heroImageUrl')}</section>`
}

const saved = { page: showGroupSettings, done: groupAt('/settings?done=saved') }

export const groupSettingsForms = forms({
  preview: preview(showGroupSettings),
  save: deed(updateGroup, { ...saved, fields: groupLabels }),
  'remove-photo': deed(updateGroup, { ...saved, fields: { photoUrl: null } }),
  'remove-hero': deed(updateGroup, { ...saved, fields: { heroImageUrl: null } }),
  leave: deed(leaveStaff, { fields: {}, page: showGroupSettings, done: () => `${MANAGE}?done=left` }),
  delete: deed(deleteGroup, {
    fields: ({ manage }) => ({ confirm: manage.fields.urlname }),
    page: showGroupSettings,
    done: () => `${MANAGE}?done=deleted`,
  }),
})
