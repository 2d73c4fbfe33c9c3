import { config } from '@/config/config'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { html } from '@/web/html'
import { ICON_PATHS } from './icons'

export const MANIFEST_PATH = '/manifest.webmanifest'

const SHORT_MAX = 24

/** As many whole words as fit below an icon. */
function shortened(name: string): string {
  if (name.length <= SHORT_MAX) return name
  const end = name.lastIndexOf(' ', SHORT_MAX)
  return name.slice(0, end > 0 ? end : SHORT_MAX).trim()
}

/** The web app manifest. */
const MANIFEST = tagged(
  JSON.stringify({
    id: '/',
    name: config.siteName,
    short_name: shortened(config.siteName),
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#f6f5f2',
    theme_color: '#f6f5f2',
    icons: [
      { src: ICON_PATHS[192], sizes: '192x192', type: 'image/png' },
      { src: ICON_PATHS[512], sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  }),
)

const HEADERS = {
  'content-type': 'application/manifest+json; charset=utf-8',
  'cache-control': 'public, max-age=3600',
}

export const sendManifest = (visit: Visit) => respondTagged(visit, MANIFEST, HEADERS)

/** For the head of every page, with the background colours. */
export const manifestLinks = html`<link rel="manifest" href="${MANIFEST_PATH}">
<link rel="apple-touch-icon" href="${ICON_PATHS[192]}">
<meta name="theme-color" content="#f6f5f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#16181c" media="(prefers-color-scheme: dark)">
`
