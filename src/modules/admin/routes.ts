import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const adminRoutes = new Elysia().use(front)
