;(() => {
  const { documentElement: root } = document
  const all = (selector) => document.querySelectorAll(selector)

  if (parent !== window) {
    const tell = () =>
      parent.postMessage({ folkmoot: 'height', height: Math.ceil(root.getBoundingClientRect().height) }, '*')
    new ResizeObserver(tell).observe(root)
  }

  for (const note of all('.yours')) {
    const { at, zone } = note.dataset
    const clock = (timeZone) =>
      new Date(at).toLocaleString('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone })
    if (clock() === clock(zone)) continue
    note.textContent = `${clock()} in your time zone`
    note.hidden = false
  }

  const [track] = all('.track')
  const turns = [...all('.turn')]
  if (!track || turns.length === 0) return
  const forwards = getComputedStyle(track).direction === 'rtl' ? -1 : 1
  const show = () => {
    const room = track.scrollWidth - track.clientWidth
    const gone = Math.abs(track.scrollLeft)
    for (const turn of turns) {
      turn.hidden = room < 8
      const isDone = turn.dataset.turn === '1' ? gone > room - 8 : gone < 8
      turn.setAttribute('aria-disabled', isDone)
    }
  }
  for (const turn of turns)
    turn.addEventListener('click', () =>
      track.scrollBy({ left: track.clientWidth * 0.8 * turn.dataset.turn * forwards }),
    )
  track.addEventListener('scroll', show, { passive: true })
  new ResizeObserver(show).observe(track)
})()
