import { Elysia } from 'elysia'
import { openPage } from '@/web/open-page'
import { showHome } from './home'

export const homePages = new Elysia().get('/', ...openPage(showHome))
