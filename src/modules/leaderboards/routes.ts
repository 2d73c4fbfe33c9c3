import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const leaderboardRoutes = new Elysia().use(front)
