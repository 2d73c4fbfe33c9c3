import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const achievementRoutes = new Elysia().use(front)
