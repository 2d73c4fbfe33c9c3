import type { Visit } from '@/http/visit'
import {
  checkInAttendee,
  exportAttendees,
  undoCheckin,
} from '@/modules/gatherings/checkins/attendees/actions'
import { checkInGuest, removeGuest } from '@/modules/gatherings/checkins/guests/actions'
import { changeEvent } from '@/modules/gatherings/organizing/actions'
import { queryIn } from '@/web/ask'
import { deed, forms } from '@/web/form'
import { showDoor } from './door'
import { eventAt } from './group-page'

const page = showDoor

/** Back to the list without the search, with a notice about the person. */
function backToDoor(input: Record<string, unknown>, visit: Visit, who?: string): string {
  const query = queryIn(visit)
  for (const name of ['do', 'search', 'done', 'about']) query.delete(name)
  query.set('about', String(input.userId))
  if (who !== undefined) query.set('who', who)
  return `${eventAt()(input)}?${query}`
}

export const doorForms = forms({
  checkin: deed(checkInAttendee, {
    fields: ({ manage }) => ({ userId: manage.fields.username }),
    page,
    done: (input, _, visit) => backToDoor(input, visit),
  }),
  guest: deed(checkInGuest, {
    fields: ({ manage: { fields } }) => ({ name: fields.guestName, email: fields.guestEmail }),
    page,
    done: (input, result, visit) =>
      backToDoor({ ...input, userId: result?.guestId ?? result?.userId }, visit, result?.name),
  }),
  undo: deed(undoCheckin, {
    fields: { userId: null },
    page,
    done: (input, _, visit) => backToDoor(input, visit),
    ignoredErrors: ['not_found'],
  }),
  'undo-guest': deed(removeGuest, {
    fields: { guestId: null },
    page,
    done: eventAt('?done=guestUndone'),
    ignoredErrors: ['not_found'],
  }),
  publish: deed(changeEvent, { fields: { status: null }, page, done: eventAt('?done=published') }),
  export: deed(exportAttendees, { fields: {}, page, done: (_, made) => new URL(made?.url ?? '').pathname }),
})
