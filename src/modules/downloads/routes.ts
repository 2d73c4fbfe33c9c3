import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const downloadRoutes = new Elysia().use(front)
