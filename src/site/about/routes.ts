import { Elysia } from 'elysia'

export const aboutPages = new Elysia()
