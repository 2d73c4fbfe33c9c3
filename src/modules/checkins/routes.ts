import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const checkinRoutes = new Elysia().use(front)
