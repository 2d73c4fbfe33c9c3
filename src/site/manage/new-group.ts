import { THEME_COLORS } from '@/config/accent'
import { config } from '@/config/config'
import type { Visit } from '@/http/visit'
import { createGroup, deleteGroup, updateGroup } from '@/modules/community/groups/manage/actions'
import type { ManagedGroupSettings } from '@/modules/community/groups/manage/schema'
import { leaveStaff } from '@/modules/community/groups/staff/actions'
import { description, slugInto } from '@/site/parts/fields'
import { done } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { pictureField, withPictures } from '@/site/parts/with-picture'
import { choice, line, summary } from '@/web/fields'
import { deed, forms, preview, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import type { Words } from '@/words/words'
import { groupAt, groupContext, groupPage, groupPath, MANAGE } from './group-page'

export const groupLabels = ({ manage: { fields, picture, coverPicture } }: Words) => ({
  name: fields.name,
  urlname: fields.urlname,
  description: fields.description,
  website: fields.website,
  tags: fields.tags,
  themeColor: fields.themeColor,
  photoUrl: picture,
  heroImageUrl: coverPicture,
})

export function groupFields(words: Words, group?: ManagedGroupSettings, sent?: Sent): Html {
  const labels = groupLabels(words)
  const { manage } = words
  return html`${line({ name: 'name', label: labels.name, value: group?.name, attributes: html` required maxlength="200" dir="auto"` }, sent)}
${line({ name: 'urlname', label: labels.urlname, hint: `${manage.hints.urlname(`${config.baseUrl}/groups/`)}${group ? '' : ` ${manage.hints.fromName}`}`, value: group?.urlname, attributes: html` maxlength="60"${group ? html` required` : html` data-after="name"`} pattern="[a-z0-9][a-z0-9\\-]*[a-z0-9]" autocapitalize="none" spellcheck="false"` }, sent)}
${description({ value: group?.description, rows: 6, max: 5000 }, words, sent)}
${line({ name: 'website', label: labels.website, type: 'url', value: group?.website, attributes: html` maxlength="2048" placeholder="https://"` }, sent)}
${line({ name: 'tags', label: labels.tags, hint: manage.hints.tags, value: group?.tags.join(', '), attributes: html` dir="auto"` }, sent)}
${choice({ name: 'themeColor', label: labels.themeColor, value: group?.themeColor, options: [{ value: '', label: manage.noColor }, ...THEME_COLORS.map((value) => ({ value, label: manage.colors[value] }))] }, sent)}
${pictureField({ name: 'photoUrl', label: labels.photoUrl, saved: group?.photoUrl, isFace: true }, words, sent)}
${pictureField({ name: 'heroImageUrl', label: labels.heroImageUrl, saved: group?.heroImageUrl }, words, sent)}`
}

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

/** Reads the form of a group, which may hold pictures. */
export const readGroup = withPictures({ photoUrl: 'group-photo', heroImageUrl: 'hero' })

export const newGroupForms = forms({
  preview: preview(showNewGroup, readGroup),
  create: deed(createGroup, {
    fields: groupLabels,
    page: showNewGroup,
    read: readGroup,
    prepare: slugInto('urlname'),
    done: (_, group) => `${groupPath(group?.id ?? '')}?done=group`,
  }),
})

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
