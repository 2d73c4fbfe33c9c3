import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const signInRoutes = new Elysia().use(front)
