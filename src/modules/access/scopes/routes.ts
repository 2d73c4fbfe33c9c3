import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { listScopes } from './actions'

export const scopeRoutes = new Elysia({ tags: ['Scopes'] }).use(front).get('/v1/scopes', ...serve(listScopes))
