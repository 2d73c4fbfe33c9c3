import { Elysia } from 'elysia'

export const developerPages = new Elysia()
