import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { createPassSheet, listPassSheets, readPassSheet } from './actions'

export const passSheetRoutes = new Elysia({ prefix: '/v1/manage/groups/:groupId', tags: ['Management'] })
  .get('/events/:eventId/pass-sheets', ...serve(listPassSheets))
  .post('/events/:eventId/pass-sheets', ...serve(createPassSheet, { status: 201 }))
  .get('/pass-sheets/:sheetId', ...serve(readPassSheet))
