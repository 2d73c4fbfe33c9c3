import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const developerAppRoutes = new Elysia().use(front)
