import { Elysia } from 'elysia'

export const settingsPages = new Elysia()
