import { toolbox } from '@/mcp/tool'
import { checkIn, createCheckinCode, listCheckinCodes } from './actions'
import { listEventAttendees } from './attendees/actions'

export const checkinsTools = toolbox({
  events_checkin: [
    checkIn,
    {
      title: 'Check in',
      idempotent: true,
      description:
        'Checks the person in with the code from the door. Only with a code that they gave you: wrong ones count against them. Example: {"code":"…"}.',
    },
  ],
  manage_attendees_list: [
    listEventAttendees,
    {
      title: 'List who comes',
      description:
        'Lists the guests of an event for its staff: who has a seat, waits, is checked in. Example: {"groupId":"…","eventId":"…"}.',
    },
  ],
  manage_checkin_codes_list: [
    listCheckinCodes,
    {
      title: 'List check-in codes',
      description:
        'Lists the codes with which guests of an event check in, and how often each was used. Example: {"groupId":"…","eventId":"…"}.',
    },
  ],
  manage_checkin_codes_create: [
    createCheckinCode,
    {
      title: 'Make a check-in code',
      idempotent: false,
      description:
        'Makes a code for the door of an event. Example: {"groupId":"…","eventId":"…","label":"Main door"}.',
    },
  ],
})
