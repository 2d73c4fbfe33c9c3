import { Elysia } from 'elysia'

export const managePages = new Elysia()
