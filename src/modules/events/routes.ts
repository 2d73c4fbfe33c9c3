import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const eventRoutes = new Elysia().use(front)
