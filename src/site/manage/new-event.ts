import type { Visit } from '@/http/visit'
import { readPreferences } from '@/modules/account/preferences/actions'
import { createEvent, listManagedEvents } from '@/modules/gatherings/organizing/actions'
import { deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { summary } from '@/web/fields'
import { deed, forms, preview, type Sent } from '@/web/form'
import { html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { eventFields, eventLabels, pastTick, read, refusePast } from './event-fields'
import { groupContext, groupPage } from './group-page'
import { eventPath } from './paths'

export async function showNewEvent(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, caller } = context
  const { manage } = words
  if (!context.isManager)
    return groupPage(context, '', manage.newEvent, html`<p class="notice">${manage.managersOnly}</p>`)
  // Most groups stay in one zone.
  const { data } = await ask(visit, listManagedEvents, params, { limit: 1 })
  const known = data[0]?.timezone ?? (await ask(visit, readPreferences)).timeZone ?? undefined
  const page = groupPage(
    context,
    '',
    manage.newEvent,
    html`<div class="text"><h2 class="first">${manage.newEvent}</h2>
${summary(sent)}${deedForm(caller, {
  deed: 'create',
  hasFile: true,
  body: html`${eventFields(words, known, undefined, sent)}
${pastTick(words, sent)}
<div class="buttons"><button class="button" name="status" value="published">${manage.publish}</button>
<button class="button plain" name="status" value="draft">${manage.keepAsDraft}</button></div>`,
})}</div>`,
  )
  return { ...page, islands: ['suggest'] }
}

export const newEventForms = forms({
  preview: preview(showNewEvent, read),
  create: deed(createEvent, {
    fields: (words) => ({ ...eventLabels(words), status: null }),
    page: showNewEvent,
    read,
    prepare: refusePast,
    done: ({ groupId }, event) =>
      `${eventPath(String(groupId), event?.id ?? '')}?done=${event?.status === 'draft' ? 'drafted' : 'published'}`,
  }),
})
