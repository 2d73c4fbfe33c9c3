import { Elysia } from 'elysia'

export const adminPages = new Elysia()
