import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listScopes } from './actions'

export const scopeRoutes = new Elysia({ tags: ['Scopes'] }).get('/v1/scopes', ...serve(listScopes))
