import { toolbox } from '@/mcp/tool'
import { addPortfolioItem, changePortfolioItem, listPortfolio, removePortfolioItem } from './actions'

export const portfolioTools = toolbox({
  portfolio_list: [
    listPortfolio,
    {
      title: 'List my portfolio',
      description: 'Lists the things that the person shows on their profile, with their ids.',
    },
  ],
  portfolio_create: [
    addPortfolioItem,
    {
      title: 'Add to my portfolio',
      idempotent: false,
      description:
        'Adds something to the profile of the person, for everyone to see. Example: {"title":"A boat","url":"https://…"}.',
    },
  ],
  portfolio_update: [
    changePortfolioItem,
    {
      title: 'Change my portfolio',
      idempotent: true,
      destructive: true,
      description:
        'Changes an item; fields that you leave out stay. Example: {"id":"…","title":"Two boats"}.',
    },
  ],
  portfolio_delete: [
    removePortfolioItem,
    {
      title: 'Delete from my portfolio',
      idempotent: true,
      description: 'Deletes an item for good. Example: {"id":"…","confirm":true}.',
      confirm: 'The item would be deleted, and cannot be brought back.',
    },
  ],
})
