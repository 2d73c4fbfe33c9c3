import { Elysia } from 'elysia'

export const eventsPages = new Elysia()
