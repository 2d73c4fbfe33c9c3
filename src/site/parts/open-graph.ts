import { config } from '@/config/config'
import { type Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

type Preview = {
  title: string
  description?: string
  /** Paths of this server. */
  path: string
  picture?: { path: string; alt: string }
}

/** Open Graph previews of shared links. */
export const openGraph = ({ title, description, path, picture }: Preview, { language }: Words): Html =>
  html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${config.siteName}">
<meta property="og:locale" content="${LOCALES[language].replace('-', '_')}">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${config.baseUrl}${path}">
${description && html`<meta property="og:description" content="${description}">\n`}${
  picture &&
  html`<meta property="og:image" content="${config.baseUrl}${picture.path}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${picture.alt}">
<meta name="twitter:card" content="summary_large_image">
`
}`
