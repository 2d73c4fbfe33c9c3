import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { addPortfolioItem, changePortfolioItem, listPortfolio, removePortfolioItem } from './actions'

export const portfolioRoutes = new Elysia({ prefix: '/v1/profile/portfolio', tags: ['User'] })
  .get('', ...serve(listPortfolio))
  .post('', ...serve(addPortfolioItem, { status: 201 }))
  .patch('/:id', ...serve(changePortfolioItem))
  .delete('/:id', ...serve(removePortfolioItem))
