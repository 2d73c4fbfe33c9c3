import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const oauthRoutes = new Elysia().use(front)
