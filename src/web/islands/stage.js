/** A pass that is held up: the screen stays on, and a button prints. */
const stayOn = () => navigator.wakeLock?.request('screen').catch(() => {})
stayOn()
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stayOn()
})
for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
