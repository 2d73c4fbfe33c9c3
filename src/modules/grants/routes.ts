import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const grantRoutes = new Elysia().use(front)
