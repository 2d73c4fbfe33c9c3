/** Refreshes the parts of a page that other people change, while the page is visible. */
const SECONDS = 8
const isBusy = (part) => part.contains(document.activeElement) && document.activeElement !== document.body

async function refresh() {
  if (document.hidden) return
  // A form that failed leaves `do=` in the address; the page itself is at the address without it.
  const address = new URL(location.href)
  address.searchParams.delete('do')
  const answer = await fetch(address, { headers: { accept: 'text/html' } })
  if (!answer.ok || answer.redirected) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`)
    // A button that has the focus must not be replaced while it is used.
    if (next !== null && !isBusy(part) && next.innerHTML !== part.innerHTML)
      part.replaceChildren(...next.childNodes)
  }
}

setInterval(() => refresh().catch(() => {}), SECONDS * 1000)
document.addEventListener('visibilitychange', () => refresh().catch(() => {}))
