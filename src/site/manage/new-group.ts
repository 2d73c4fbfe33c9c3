import type { Visit } from '@/http/visit'
import { createGroup } from '@/modules/community/groups/manage/actions'
import { deedForm } from '@/site/parts/press'
import { slugInto } from '@/site/parts/slug'
import { withPicture } from '@/site/parts/with-picture'
import { deed, forms, preview, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import { summary } from '@/web/problem'
import { groupFields, groupLabels } from './group-fields'
import { groupPath, MANAGE } from './paths'

export function showNewGroup(visit: Visit, _: Params, sent?: Sent): Page {
  const caller = signedIn(visit)
  const words = wordsFor(visit)
  const { manage } = words
  return {
    title: manage.newGroup,
    islands: ['suggest'],
    body: html`<p class="above"><a href="${MANAGE}">${manage.title}</a></p>
<h1>${manage.newGroup}</h1>
<p class="quiet">${manage.newGroupText}</p>
${summary(sent)}${deedForm(caller, {
  deed: 'create',
  hasFile: true,
  body: html`${groupFields(words, undefined, sent)}
<button class="button wide">${manage.newGroup}</button>`,
})}`,
  }
}

const read = withPicture('group-photo', 'photoUrl')

export const newGroupForms = forms({
  preview: preview(showNewGroup, read),
  create: deed(createGroup, {
    fields: groupLabels,
    page: showNewGroup,
    read,
    prepare: slugInto('urlname'),
    done: (_, group) => `${groupPath(group?.id ?? '')}?done=group`,
  }),
})
