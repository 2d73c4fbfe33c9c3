import { Elysia } from 'elysia'
import { openPage } from '@/web/open-page'
import { showAbout, showPrivacy, showTerms } from './texts'

export const aboutPages = new Elysia()
  .get('/about', ...openPage(showAbout))
  .get('/terms', ...openPage(showTerms))
  .get('/privacy', ...openPage(showPrivacy))
