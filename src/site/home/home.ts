import { config } from '@/config/config'
import { html } from '@/web/html'
import type { LoadOpen } from '@/web/open-page'

export const showHome: LoadOpen = () => ({
  title: config.siteName,
  width: 'wide',
  section: 'home',
  canonical: '/',
  about: [],
  body: html`<h1>${config.siteName}</h1>`,
})
