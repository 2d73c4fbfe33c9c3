import { Html } from './html'

/** What a policy allows by its hash: nobody adds to these bytes, so that they are the same for everyone. */
export const inline = (element: 'style' | 'script', text: string) => ({
  element: new Html(`<${element}>${text}</${element}>`),
  source: `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`,
})

/** A stylesheet without what only its writers need. */
export const squeezed = (stylesheet: string): string =>
  stylesheet
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
