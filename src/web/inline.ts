import { Html } from './html'

/** Inline content that the CSP allows by hash, so its bytes are constant. */
export const inline = (element: 'style' | 'script', text: string) => ({
  element: new Html(`<${element}>${text}</${element}>`),
  source: `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`,
})

/** Minifies a stylesheet. */
export const squeezed = (stylesheet: string): string =>
  stylesheet
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
