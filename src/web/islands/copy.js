/** A button that copies the text of the element that it names. Without script it is not there: people select the text. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy ?? '')
    if (source === null) return
    await navigator.clipboard.writeText((source.textContent ?? '').trim())
    const before = button.textContent
    button.textContent = button.dataset.done ?? before
    setTimeout(() => {
      button.textContent = before
    }, 2000)
  })
}
