import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const groupClaimRoutes = new Elysia().use(front)
