// Puts a frame with events of ORIGIN where a page asks for one: after <script data-widget="…">, and into
// elements with data-folkmoot-widget="…".
;(() => {
  const ORIGIN = '{{ORIGIN}}'
  const WIDGETS = { 'next-event': 'Next event', carousel: 'Upcoming events' }
  const [LEAST, MOST] = [80, 2000]
  const frames = []
  const warn = (text) => console.warn(`Widgets of ${ORIGIN}: ${text}.`)

  const frameFor = (widget, { groups, event, theme, title }) => {
    if (!Object.hasOwn(WIDGETS, widget))
      return warn(`there is no widget "${widget}", but ${Object.keys(WIDGETS).join(' and ')}`)
    const address = new URL(`/widget/${widget}`, ORIGIN)
    for (const [name, value] of Object.entries({ groups, event, theme }))
      if (value) address.searchParams.set(name, value)
    const frame = document.createElement('iframe')
    frame.src = address.href
    frame.title = title || (event ? 'Event' : WIDGETS[widget])
    frame.loading = 'lazy'
    frame.referrerPolicy = 'no-referrer'
    frame.sandbox = '{{SANDBOX}}'
    Object.assign(frame.style, {
      display: 'block',
      width: '100%',
      height: '420px',
      border: '0',
      // Where it differs from the document's, browsers put a plain ground behind it.
      colorScheme: theme === 'light' || theme === 'dark' ? theme : 'light dark',
    })
    frames.push(frame)
    return frame
  }

  // A frame may set its own height, within reason, and nothing else.
  addEventListener('message', ({ source, origin, data }) => {
    if (origin !== ORIGIN || data?.folkmoot !== 'height' || !Number.isFinite(data.height)) return
    const frame = frames.find(({ contentWindow }) => contentWindow === source)
    if (frame) frame.style.height = `${Math.min(MOST, Math.max(LEAST, data.height))}px`
  })

  const fill = () => {
    for (const place of document.querySelectorAll('[data-folkmoot-widget]:not([data-folkmoot-filled])')) {
      const frame = frameFor(place.dataset.folkmootWidget, place.dataset)
      if (!frame) continue
      place.dataset.folkmootFilled = ''
      place.replaceChildren(frame)
    }
  }

  const script = document.currentScript
  if (script?.dataset.widget && script.closest('head'))
    warn('a <script data-widget> shows it where it stands, so put it into the body')
  else if (script?.dataset.widget) {
    const frame = frameFor(script.dataset.widget, script.dataset)
    if (frame) script.after(frame)
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', fill)
  else fill()
})()
