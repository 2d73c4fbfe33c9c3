import type { Visit } from '@/http/visit'
import { changeUser, deleteUser, listAllUsers } from '@/modules/administration/users/actions'
import type { AdminUser } from '@/modules/administration/users/schema'
import { chips, emptyState, list, pageAsked, searchForm } from '@/site/parts/list'
import { person } from '@/site/parts/person'
import { danger, press } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { moment } from '@/web/when'
import { type AdminContext, adminContext, adminPage, pathOf } from './admin-page'

export async function showUsers(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const context = adminContext(visit, sent)
  const { words, query } = context
  const { admin, frame } = words
  const search = query.get('search')?.trim() || undefined
  const role = query.get('role') === 'admin' ? 'admin' : undefined
  const page = await ask(visit, listAllUsers, {}, { search, role, ...pageAsked(query) })
  return adminPage(
    context,
    'users',
    html`${searchForm({ label: admin.findUser, button: frame.searchFor, value: search ?? '', keep: { role: role ?? '' } })}${chips(
      admin.role,
      'role',
      role ?? '',
      [
        { value: '', label: admin.everyone },
        { value: 'admin', label: admin.administrators },
      ],
    )}
${list({ page, query, words, row: (user) => userRow(user, context), empty: emptyState({ title: admin.nobody }) })}`,
  )
}

function userRow(user: AdminUser, { caller, words, query }: AdminContext): Html {
  const { admin } = words
  const fields = { userId: user.id }
  const about = html`· <bdi>${user.email}</bdi>${user.role === 'admin' && html` <span class="mark">${admin.administrator}</span>`}${
    user.suspended && html` <span class="mark alarm">${admin.suspended}</span>`
  }<br>${user.lastLoginAt && html`${admin.lastSeen} ${moment(new Date(user.lastLoginAt), null, words)} · `}${admin.groupCount(user.groupCount)}`
  const name = user.name ?? ''
  return html`<li>${person({ id: user.id, name, username: user.username, avatarUrl: user.avatarUrl }, about)}
<details class="end"><summary>${admin.change}<span class="hidden"> ${name}</span></summary>
${
  user.suspended
    ? press(caller, {
        deed: 'standing',
        fields: { ...fields, suspended: 'false' },
        keep: query,
        label: admin.unsuspend,
      })
    : danger(caller, {
        deed: 'standing',
        fields: { ...fields, suspended: 'true' },
        title: admin.suspend,
        text: admin.suspendText,
        label: admin.suspend,
      })
}
${
  user.role === 'admin'
    ? danger(caller, {
        deed: 'role',
        fields: { ...fields, role: 'user' },
        title: admin.demote,
        text: admin.demoteText,
        label: admin.demote,
      })
    : danger(caller, {
        deed: 'role',
        fields: { ...fields, role: 'admin' },
        title: admin.promote,
        text: admin.promoteText,
        label: admin.promote,
      })
}
${danger(caller, { deed: 'delete', fields, title: admin.deleteUser, text: admin.deleteUserText, label: admin.deleteUser })}</details></li>
`
}

const page = showUsers
const done = () => `${pathOf('users')}?done=saved`

export const usersForms = forms({
  standing: deed(changeUser, { fields: { userId: null, suspended: null }, page, done }),
  role: deed(changeUser, { fields: { userId: null, role: null }, page, done }),
  delete: deed(deleteUser, {
    fields: { userId: null },
    page,
    done: () => `${pathOf('users')}?done=deleted`,
    ignoredErrors: ['not_found'],
  }),
})
