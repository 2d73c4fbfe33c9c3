import type { Visit } from '@/http/visit'
import { addStaff, changeStaffRole, listStaff, removeStaff } from '@/modules/community/groups/staff/actions'
import type { StaffMember } from '@/modules/community/groups/staff/schema'
import { done, list, pageAsked } from '@/site/parts/list'
import { person } from '@/site/parts/person'
import { danger, deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { choice, line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { type GroupContext, groupAt, groupContext, groupPage } from './group-page'

export async function showStaff(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, query, isManager } = context
  const { manage } = words
  const page = await ask(visit, listStaff, params, pageAsked(query))
  return groupPage(
    context,
    '/staff',
    manage.staff,
    html`<div class="columns"><div>${done(query, manage.done)}${summary(sent)}
${list({ page, query, words, row: (member) => memberRow(member, context), empty: html`` })}</div>
${isManager && html`<aside>${addForm(context, sent)}</aside>`}</div>`,
  )
}

function memberRow(
  { id, userId, role, user }: StaffMember,
  { caller, words, group, isManager }: GroupContext,
): Html {
  const { manage } = words
  // Managers may change volunteers only; the action refuses anything else.
  const mayChange = group.userRole === 'owner' || (isManager && role === 'volunteer')
  return html`<li>${person({ id: userId, ...user }, html`<span class="mark quiet">${manage.roles[role]}</span>`)}
${
  mayChange &&
  userId !== caller.userId &&
  html`<details class="end"><summary>${manage.change}<span class="hidden"> ${user.name}</span></summary>
${deedForm(caller, {
  deed: 'role',
  fields: { memberId: id },
  body: html`${choice({ name: 'role', id: `role-${id}`, label: manage.fields.role, value: role, options: roleOptions(words) })}
<p class="after"><button class="button plain small">${manage.changeRole}</button></p>`,
})}
${danger(caller, { deed: 'remove', fields: { memberId: id }, title: manage.remove, text: manage.removeText, label: manage.remove })}</details>`
}</li>
`
}

const addForm = ({ caller, words, group }: GroupContext, sent?: Sent): Html => {
  const { manage } = words
  const options = group.userRole === 'owner' ? roleOptions(words) : roleOptions(words).slice(0, 1)
  return html`<section class="card"><h2 class="first">${manage.addStaff}</h2>
${deedForm(caller, {
  deed: 'add',
  body: html`${line({ name: 'userId', label: manage.fields.username, attributes: html` required maxlength="100" autocapitalize="none" autocomplete="off" spellcheck="false"` }, sent)}
${choice({ name: 'role', label: manage.fields.role, value: 'volunteer', options }, sent)}
<p class="small quiet">${manage.rolesText}</p>
<button class="button wide">${manage.add}</button>`,
})}</section>`
}

const roleOptions = ({ manage: { roles } }: GroupContext['words']) =>
  ['volunteer', 'manager', 'owner'].map((value) => ({ value, label: roles[value] ?? value }))

const page = showStaff

export const staffForms = forms({
  add: deed(addStaff, {
    fields: ({ manage: { fields } }) => ({ userId: fields.username, role: fields.role }),
    page,
    done: groupAt('/staff?done=added'),
  }),
  role: deed(changeStaffRole, {
    fields: ({ manage: { fields } }) => ({ memberId: null, role: fields.role }),
    page,
    done: groupAt('/staff?done=saved'),
  }),
  remove: deed(removeStaff, {
    fields: { memberId: null },
    page,
    done: groupAt('/staff?done=removed'),
    ignoredErrors: ['not_found'],
  }),
})
