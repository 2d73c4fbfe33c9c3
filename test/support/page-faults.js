/** Runs in the page. Gives a list of what is wrong with it for people who see little or have a narrow screen. */
;(() => {
  const faults = []
  const say = (fault, element) =>
    faults.push(element ? `${fault}: ${element.outerHTML.slice(0, 120)}` : fault)

  // A phone zooms out of a page that is too wide, and its window grows with it.
  const wide = Math.min(window.innerWidth, screen.width)
  if (document.documentElement.scrollWidth > wide) say('wider than the screen')
  if (document.querySelectorAll('h1').length !== 1) say('not one heading')
  if (!document.documentElement.lang) say('no language')
  for (const input of document.querySelectorAll('input:not([type=hidden])'))
    if (!input.labels?.length) say('no label', input)
  // A row of links may be longer than the screen: it begins where one is.
  for (const link of document.querySelectorAll('[aria-current]')) {
    const { left, right } = link.getBoundingClientRect()
    if (link.checkVisibility() && (left < -1 || right > wide + 1)) say('where one is cannot be seen', link)
  }
  // A pattern that browsers cannot read lets everything through.
  for (const input of document.querySelectorAll('input[pattern]'))
    try {
      new RegExp(input.pattern, 'v')
    } catch {
      say('a pattern that is none', input)
    }
  for (const target of document.querySelectorAll('button, .button'))
    if (target.checkVisibility() && target.getBoundingClientRect().height < 44)
      say('too small for a thumb', target)

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
  }
  const linear = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const luminance = (color) => {
    const [r, g, b] = rgba(color).map(linear)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const groundOf = (element) => {
    if (!element) return 'white'
    const { backgroundColor } = getComputedStyle(element)
    return rgba(backgroundColor)[3] > 0.99 ? backgroundColor : groundOf(element.parentElement)
  }
  const contrast = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)]
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  }

  for (const element of document.querySelectorAll('h1, h2, p, label, a, button, strong, code, td, th, li')) {
    const { width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0 || !element.textContent.trim()) continue
    const found = contrast(getComputedStyle(element).color, groundOf(element))
    if (found < 4.5) say(`contrast of text ${found.toFixed(1)}`, element)
  }
  // The edge of a field is all that shows where to type.
  for (const input of document.querySelectorAll('input:not([type=hidden])')) {
    const found = contrast(getComputedStyle(input).borderTopColor, groundOf(input.parentElement))
    if (found < 3) say(`contrast of the edge ${found.toFixed(1)}`, input)
  }
  return faults
})()
