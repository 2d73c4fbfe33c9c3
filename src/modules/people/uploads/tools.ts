import { toolbox } from '@/mcp/tool'
import { listUploads } from './actions'

export const uploadsTools = toolbox({
  uploads_list: [
    listUploads,
    {
      title: 'List my files',
      description: 'Lists the pictures and models that the person uploaded, with sizes and addresses.',
    },
  ],
})
