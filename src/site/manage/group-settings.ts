import type { Visit } from '@/http/visit'
import { deleteGroup, updateGroup } from '@/modules/community/groups/manage/actions'
import { leaveStaff } from '@/modules/community/groups/staff/actions'
import { done } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { line } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { summary } from '@/web/problem'
import { groupFields, groupLabels } from './group-fields'
import { groupAt, MANAGE } from './paths'
import { groupPage, workplaceOf } from './workplace'

export async function showGroupSettings(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const place = await workplaceOf(visit, params)
  const { words, caller, query, group, isManager } = place
  const { manage, frame } = words
  return groupPage(
    place,
    '/settings',
    manage.settings,
    html`<div class="text">${done(query, manage.done)}${summary(sent)}${
      isManager
        ? deedForm(caller, {
            deed: 'save',
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
  save: deed(updateGroup, {
    fields: groupLabels,
    page: showGroupSettings,
    done: groupAt('/settings?done=saved'),
  }),
  leave: deed(leaveStaff, { fields: {}, page: showGroupSettings, done: () => `${MANAGE}?done=left` }),
  delete: deed(deleteGroup, {
    fields: ({ manage }) => ({ confirm: manage.fields.urlname }),
    page: showGroupSettings,
    done: () => `${MANAGE}?done=deleted`,
  }),
})
