import { toolbox } from '@/mcp/tool'
import { listAchievements } from './actions'

export const achievementsTools = toolbox({
  profile_achievements: [
    listAchievements,
    {
      title: 'List my achievements',
      description: 'Lists what the person can reach and how far they are.',
    },
  ],
})
