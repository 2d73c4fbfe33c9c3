import { Elysia } from 'elysia'
import { protocol } from '@/http/protocol'
import { OPEN } from '@/http/route-traits'
import { ASK } from './openapi'
import { askForSubscription } from './requests/endpoint'

export const websubRoutes = new Elysia({ tags: ['Feeds'] }).post(
  '/websub',
  ...protocol(ASK, askForSubscription, { ...OPEN, showsBudget: true }),
)
