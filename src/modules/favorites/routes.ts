import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const favoriteRoutes = new Elysia().use(front)
