import { Elysia } from 'elysia'

export const groupsPages = new Elysia()
