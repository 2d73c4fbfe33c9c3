import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const groupRoutes = new Elysia().use(front)
