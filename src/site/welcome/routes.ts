import { Elysia } from 'elysia'
import { WELCOME } from '@/web/login'
import { page } from '@/web/page'
import { showWelcome } from './page'
import { takeWelcome } from './take'

/** What people are asked once, after their first sign-in. */
export const welcomePages = new Elysia()
  .get(WELCOME, ...page(showWelcome))
  .post(WELCOME, ...page(takeWelcome))
