/** A button that hands this page to other programs of the visitor's device. Without script, or without such a device, people copy the address. */
for (const button of document.querySelectorAll('button[data-share]')) {
  if (!navigator.share) continue
  button.hidden = false
  button.addEventListener('click', () =>
    navigator.share({ title: button.dataset.share, url: button.dataset.url }).catch(() => {}),
  )
}
