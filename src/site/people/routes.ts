import { Elysia } from 'elysia'

export const peoplePages = new Elysia()
