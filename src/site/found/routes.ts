import { Elysia } from 'elysia'
import { plain } from '@/http/plain'
import { OPEN } from '@/http/route-traits'
import { sendPreview } from '../previews/preview'
import { sendIcon } from './icons'
import { MANIFEST_PATH, sendManifest } from './manifest'
import { sendSitemap } from './sitemap'

/** What programs read that find pages or show links to them. */
export const foundRoutes = new Elysia()
  .get('/sitemap.xml', ...plain(sendSitemap, OPEN))
  .get(MANIFEST_PATH, ...plain(sendManifest, OPEN))
  .get('/icons/:name', ...plain(sendIcon, OPEN))
  .get('/events/:eventId/preview.png', ...plain(sendPreview, OPEN))
