import type { Visit } from '@/http/visit'
import { deleteGroup, updateGroup } from '@/modules/community/groups/manage/actions'
import { leaveStaff } from '@/modules/community/groups/staff/actions'
import { done } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { line, summary } from '@/web/fields'
import { deed, forms, preview, type Sent } from '@/web/form'
import { html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { groupContext, groupPage } from './group-page'
import { groupFields, groupLabels, readGroup } from './new-group'
import { groupAt, MANAGE } from './paths'

export async function showGroupSettings(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, caller, query, group, isManager } = context
  const { manage, frame } = words
  return groupPage(
    context,
    '/settings',
    manage.settings,
    html`<div class="text">${done(query, manage.done)}${summary(sent)}${
      isManager
        ? deedForm(caller, {
            deed: 'save',
            hasFile: true,
            body: html`${groupFields(words, group, sent)}
<button class="button wide">${frame.save}</button>`,
          })
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
}

export const groupSettingsForms = forms({
  preview: preview(showGroupSettings, readGroup),
  save: deed(updateGroup, {
    fields: groupLabels,
    page: showGroupSettings,
    read: readGroup,
    done: groupAt('/settings?done=saved'),
  }),
  leave: deed(leaveStaff, { fields: {}, page: showGroupSettings, done: () => `${MANAGE}?done=left` }),
  delete: deed(deleteGroup, {
    fields: ({ manage }) => ({ confirm: manage.fields.urlname }),
    page: showGroupSettings,
    done: () => `${MANAGE}?done=deleted`,
  }),
})
