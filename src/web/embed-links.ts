import { config } from '@/config/config'
import { type Html, html } from './html'

const TYPES = { json: 'application/json+oembed', xml: 'text/xml+oembed' }

/** oEmbed discovery links. */
export const embedLinks = (address: string, title: string): Html[] =>
  Object.entries(TYPES).map(
    ([format, type]) =>
      html`<link rel="alternate" type="${type}" title="${title}" href="${config.baseUrl}/oembed?${new URLSearchParams({ url: address, format }).toString()}">\n`,
  )
