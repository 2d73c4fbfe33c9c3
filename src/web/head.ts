import { config } from '@/config/config'
import { Html, html } from './html'

const TYPES = { json: 'application/json+oembed', xml: 'text/xml+oembed' }

/** oEmbed discovery links. */
export const embedLinks = (address: string, title: string): Html[] =>
  Object.entries(TYPES).map(
    ([format, type]) =>
      html`<link rel="alternate" type="${type}" title="${title}" href="${config.baseUrl}/oembed?${new URLSearchParams({ url: address, format }).toString()}">\n`,
  )

/** JSON-LD for search engines; escapes `</script>` in texts. */
export const jsonLd = (facts: Readonly<Record<string, unknown>>): Html => {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts })
  return new Html(
    `<script type="application/ld+json">${text.replace(/[<>&\u2028\u2029]/g, escaped)}</script>\n`,
  )
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
