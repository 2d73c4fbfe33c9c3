import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const badgeRoutes = new Elysia().use(front)
