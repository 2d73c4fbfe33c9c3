import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { addPortfolioItem, changePortfolioItem, listPortfolio, removePortfolioItem } from './actions'
import { portfolioPictures } from './pictures'

const portfolioTools = toolbox({
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

const portfolioRoutes = new Elysia({ prefix: '/v1/profile/portfolio', tags: ['User'] })
  .get('', ...serve(listPortfolio))
  .post('', ...serve(addPortfolioItem, { status: 201 }))
  .patch('/:id', ...serve(changePortfolioItem))
  .delete('/:id', ...serve(removePortfolioItem))

export const portfolioArea = {
  routes: portfolioRoutes,
  tools: portfolioTools,
  pictures: portfolioPictures,
}
