/** What a form can guess: the zone of the visitor's clock, and a web address after a name until somebody types one. */
for (const zone of document.querySelectorAll('input[data-own-zone]')) {
  const guess = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!guess) continue
  zone.value = guess
  const note = document.getElementById(zone.dataset.ownZone)
  if (note) note.hidden = false
}
for (const address of document.querySelectorAll('input[data-after]')) {
  const name = document.getElementById(address.dataset.after)
  let guess = address.value
  name?.addEventListener('input', () => {
    if (address.value !== guess) return
    guess = name.value
      .toLowerCase()
      .replace(/ß/g, 'ss')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 60)
      .replace(/^-|-$/g, '')
    address.value = guess
  })
}
