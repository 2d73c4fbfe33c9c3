import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const registrationRoutes = new Elysia().use(front)
