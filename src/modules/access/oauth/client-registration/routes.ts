import { Elysia } from 'elysia'
import { protocol } from '@/http/protocol'
import { CLIENT } from '../route-traits'
import { REGISTER } from './openapi'
import { register } from './register'

export const registrationRoutes = new Elysia({ tags: ['OAuth'] }).post(
  '/oauth/register',
  ...protocol(REGISTER, register, CLIENT),
)
