import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const entitlementRoutes = new Elysia().use(front)
