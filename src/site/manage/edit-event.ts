import type { Visit } from '@/http/visit'
import { changeEvent } from '@/modules/gatherings/organizing/actions'
import { cancelEvent, deleteDraft, duplicateEvent } from '@/modules/gatherings/organizing/lifecycle-actions'
import { done } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { area, line, summary } from '@/web/fields'
import { deed, forms, preview, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { confirmPastCheckbox, eventFields, eventLabels, read, refusePast } from './event-fields'
import { type EventContext, eventContext, eventPage } from './event-page'
import { eventAt, groupPath } from './group-page'

export async function showEditEvent(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await eventContext(visit, params)
  const { words, caller, event, query, isManager, zone } = context
  const { manage, frame } = words
  const mayEdit = isManager && event.status !== 'cancelled' && event.source === 'native'
  return eventPage(
    context,
    '/edit',
    html`<div class="columns"><div>${done(query, manage.done)}${summary(sent)}${
      mayEdit
        ? deedForm(caller, {
            deed: 'save',
            hasFile: true,
            body: html`${eventFields(words, zone, event, sent)}
${
  event.status === 'draft'
    ? html`${confirmPastCheckbox(words, sent)}<div class="buttons"><button class="button">${manage.keepAsDraft}</button>
<button class="button plain" name="status" value="published">${manage.publish}</button></div>`
    : html`<button class="button wide">${frame.save}</button>`
}`,
          })
        : html`<p class="notice">${!isManager ? manage.managersOnly : event.status === 'cancelled' ? manage.wasCancelled : manage.isSynced}</p>`
    }</div>
${isManager && html`<aside>${more(context, sent)}</aside>`}</div>`,
  )
}

const more = ({ caller, event, words, zone }: EventContext, sent?: Sent): Html => {
  const { manage } = words
  return html`<section class="card"><details${(sent?.problem.field === 'startTimes' || sent?.problem.field === 'weeks') && html` open`}><summary>${manage.duplicate}</summary>
<p class="quiet small">${manage.duplicateText}</p>
${deedForm(caller, {
  deed: 'duplicate',
  fields: { timezone: zone },
  body: html`${line({ name: 'startTimes', label: manage.fields.startTimes, hint: zone, type: 'datetime-local', attributes: html` required` }, sent)}
${line({ name: 'weeks', label: manage.fields.weeks, hint: manage.hints.weeks, type: 'number', value: '1', attributes: html` min="1" max="52"` }, sent)}
<p class="after"><button class="button plain">${manage.duplicate}</button></p>`,
})}</details>
${
  event.status === 'published' &&
  danger(caller, {
    deed: 'cancel',
    title: manage.cancelEvent,
    text: manage.cancelEventText(event.rsvpSummary.total),
    label: manage.cancelEvent,
    more: area(
      { name: 'reason', label: manage.fields.reason, rows: 2, attributes: html` maxlength="500"` },
      sent,
    ),
  })
}${
  event.status === 'draft' &&
  danger(caller, {
    deed: 'delete',
    title: manage.deleteDraft,
    text: manage.deleteDraftText,
    label: manage.deleteDraft,
  })
}</section>`
}

const page = showEditEvent

export const editEventForms = forms({
  preview: preview(page, read),
  save: deed(changeEvent, {
    fields: (words) => ({ ...eventLabels(words), status: null }),
    page,
    read,
    prepare: refusePast,
    done: (input) => eventAt(input.status === 'published' ? '?done=published' : '/edit?done=saved')(input),
  }),
  duplicate: deed(duplicateEvent, {
    fields: ({ manage }) => ({ startTimes: manage.fields.startTimes, weeks: manage.fields.weeks }),
    page,
    done: (input, made) => eventAt('/edit?done=duplicated')({ ...input, eventId: made?.events[0]?.id }),
  }),
  cancel: deed(cancelEvent, {
    fields: ({ manage }) => ({ reason: manage.fields.reason }),
    page,
    done: eventAt('?done=cancelled'),
  }),
  delete: deed(deleteDraft, {
    fields: {},
    page,
    done: (input) => `${groupPath(String(input.groupId))}?done=draftDeleted`,
  }),
})
