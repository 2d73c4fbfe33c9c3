/** Parts of a page that others change meanwhile: they are read again from the same address while somebody looks. */
const SECONDS = 8
const isBusy = (part) => part.contains(document.activeElement) && document.activeElement !== document.body

async function refresh() {
  if (document.hidden || location.search.includes('do=')) return
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok || answer.redirected) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`)
    // Whoever has a finger or the focus on a button must not lose it.
    if (next !== null && !isBusy(part) && next.innerHTML !== part.innerHTML)
      part.replaceChildren(...next.childNodes)
  }
}

setInterval(() => refresh().catch(() => {}), SECONDS * 1000)
document.addEventListener('visibilitychange', () => refresh().catch(() => {}))
