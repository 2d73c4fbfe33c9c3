import { toolbox } from '@/mcp/tool'
import { listConnections } from './actions'

export const connectionsTools = toolbox({
  meetpass_connections: [
    listConnections,
    {
      title: 'List whom I met',
      description:
        'Lists whom the person met by tapping a pass, newest first. Entries with a visitorAnonId are browsers in which nobody was signed in.',
    },
  ],
})
