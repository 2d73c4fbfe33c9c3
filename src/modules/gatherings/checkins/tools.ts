import { tool } from '@/mcp/tool'
import { checkIn } from './actions'

export const checkinTools = [
  tool(checkIn, {
    name: 'events_checkin',
    title: 'Check in to an event',
    description:
      'Checks the person in at an event with the code that is shown at its door. Use it only when the person gives you a code: a wrong one counts against them, and after a few of them they have to wait.',
  }),
]
