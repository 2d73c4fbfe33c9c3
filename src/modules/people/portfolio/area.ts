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
      description: "Lists the portfolio items on the person's profile, with their ids.",
    },
  ],
  portfolio_create: [
    addPortfolioItem,
    {
      title: 'Add to my portfolio',
      idempotent: false,
      description:
        'Adds a portfolio item to the profile of the person, visible to everyone. Example: {"title":"A boat","url":"https://…"}.',
    },
  ],
  portfolio_update: [
    changePortfolioItem,
    {
      title: 'Change my portfolio',
      idempotent: true,
      destructive: true,
      description: 'Changes an item; omitted fields stay. Example: {"id":"…","title":"Two boats"}.',
    },
  ],
  portfolio_delete: [
    removePortfolioItem,
    {
      title: 'Delete from my portfolio',
      idempotent: true,
      description: 'Deletes an item for good. Example: {"id":"…","confirm":true}.',
      confirm: 'The item would be deleted for good.',
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
