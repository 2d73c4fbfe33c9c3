import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { protocol } from '@/http/protocol'
import { CLIENT } from '../traits'
import { REGISTER } from './openapi'
import { register } from './register'

export const registrationRoutes = new Elysia({ tags: ['OAuth'] })
  .use(front)
  .post('/oauth/register', ...protocol(REGISTER, register, CLIENT))
