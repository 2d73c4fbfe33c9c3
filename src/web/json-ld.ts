import { Html } from './html'

/** JSON-LD for search engines; escapes `</script>` in texts. */
export const jsonLd = (facts: Readonly<Record<string, unknown>>): Html => {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts })
  return new Html(
    `<script type="application/ld+json">${text.replace(/[<>&\u2028\u2029]/g, escaped)}</script>\n`,
  )
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
