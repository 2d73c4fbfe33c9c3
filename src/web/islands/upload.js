/** A form that sends a picture: shows it before it is sent, and how much of it has gone. Without script it is a plain form. */
for (const form of document.querySelectorAll('form[data-upload]')) {
  const field = form.querySelector('input[type=file]')
  const place = form.parentElement
  field.addEventListener('change', () => {
    const file = field.files[0]
    if (!file?.type.startsWith('image/')) return
    const reader = new FileReader()
    reader.onload = () => {
      let picture = place.querySelector('img')
      if (picture === null) {
        picture = document.createElement('img')
        picture.alt = ''
        picture.width = picture.height = 112
        const face = place.querySelector('.face')
        picture.className = 'face large'
        if (face) face.replaceWith(picture)
        else place.prepend(picture)
      }
      picture.src = reader.result
    }
    reader.readAsDataURL(file)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    const status = document.createElement('p')
    const bar = document.createElement('progress')
    status.setAttribute('role', 'status')
    status.append(form.dataset.sending, bar)
    form.querySelector('[role]')?.remove()
    form.append(status)
    button.disabled = true
    const request = new XMLHttpRequest()
    request.open('POST', form.action)
    request.upload.onprogress = ({ loaded, total }) => {
      bar.max = total
      bar.value = loaded
    }
    request.onload = () => {
      if (request.status < 400) {
        location.href = request.responseURL
        return
      }
      const answer = new DOMParser().parseFromString(request.responseText, 'text/html')
      const said = answer.querySelector('main [role=alert]') ?? answer.querySelector('main h1')
      status.className = 'wrong'
      status.setAttribute('role', 'alert')
      status.textContent = said?.textContent ?? String(request.status)
      button.disabled = false
    }
    // Whatever stopped it may not stop a plain form.
    request.onerror = () => form.submit()
    request.send(new FormData(form))
  })
}
