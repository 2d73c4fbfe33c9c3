import { Elysia } from 'elysia'

export const recognitionPages = new Elysia()
