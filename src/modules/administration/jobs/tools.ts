import { toolbox } from '@/mcp/tool'
import { readJobs } from './actions'

export const allJobsTools = toolbox({
  admin_jobs: [
    readJobs,
    {
      title: 'Look at the background work',
      description:
        'Counts what waits, runs and failed in the queues, and whether workers live. Use it when something seems stuck.',
    },
  ],
})
