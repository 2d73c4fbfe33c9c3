import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const claimRoutes = new Elysia().use(front)
