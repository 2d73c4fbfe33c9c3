import { Elysia } from 'elysia'
import { openPage } from '@/web/open-page'
import { showHome } from './home'
import { ownHome } from './own'

export const homePages = new Elysia().get('/', ...openPage(showHome, { personal: ownHome }))
