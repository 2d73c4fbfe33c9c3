import { Elysia } from 'elysia'
import { front } from '@/http/front'

export const rsvpRoutes = new Elysia().use(front)
