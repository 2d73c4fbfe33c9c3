import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { readMe } from './actions'

export const meRoutes = new Elysia({ tags: ['User'] }).use(front).get('/v1/me', ...serve(readMe))
