import { type Html, html } from '@/web/html'

/** An owner keeps up to five addresses of up to 2,048 characters each; a card has room for so many bytes of them. */
const ROOM = 1500
const SHOWN_MAX = 60

/** The addresses that an owner shows. One that is too long for a card is in the contact download all the same. */
export function linksOf(addresses: readonly string[]): Html | false {
  let room = ROOM
  const items: Html[] = []
  for (const address of addresses) {
    const item = linkTo(address)
    const size = item === undefined ? 0 : Buffer.byteLength(item.text)
    if (item === undefined || size > room) continue
    room -= size
    items.push(item)
  }
  return items.length > 0 && html`<ul class="links">${items}</ul>`
}

function linkTo(address: string): Html | undefined {
  const url = webAddress(address)
  return (
    url && html`<li><a href="${url.href}" rel="nofollow noopener"><bdi dir="ltr">${shown(url)}</bdi></a></li>`
  )
}

/** Undefined for what a browser would not merely visit. */
export function webAddress(address: string): URL | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : undefined
}

/** As people write addresses. A host stands as the name service knows it, so that none looks like another. */
function shown({ host, pathname, search }: URL): string {
  const text = host.replace(/^www\./, '') + (pathname + search).replace(/\/$/, '')
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text
}
