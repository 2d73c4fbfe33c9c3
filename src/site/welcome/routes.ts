import { Elysia } from 'elysia'
import { WELCOME } from '@/web/login'
import { page } from '@/web/page'
import { showWelcome } from './page'
import { takeWelcome } from './take'

/** Shown once, after the first sign-in. */
export const welcomePages = new Elysia()
  .get(WELCOME, ...page(showWelcome))
  .post(WELCOME, ...page(takeWelcome))
