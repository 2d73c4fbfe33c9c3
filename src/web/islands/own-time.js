/** The time on the visitor's own clock, where that shows another one than the clocks of the event. */
for (const note of document.querySelectorAll('[data-at][data-zone]')) {
  const { at, zone, says } = note.dataset
  const clock = (timeZone) =>
    new Date(at).toLocaleString(document.documentElement.lang, {
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    })
  if (clock() === clock(zone)) continue
  note.textContent = says.replace('{}', clock())
  note.hidden = false
}
