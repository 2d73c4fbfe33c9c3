import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { plain } from '@/http/plain'
import { deliver } from './deliver'

export const downloadRoutes = new Elysia()
  .use(front)
  .get('/downloads/:token', ...plain((visit, { token = '' }) => deliver(visit, token)))
