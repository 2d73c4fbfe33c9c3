import { SaxesParser } from 'saxes'

export type Element = {
  /** With the prefix, as it is written. */
  name: string
  namespace: string
  attributes: Record<string, string>
  text: string
  children: Element[]
}

/** Reads XML as the strictest reader would, and throws where that one would stop: ill-formed, an unknown prefix, a doctype. */
export function readXml(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: Element[] = [{ name: '', namespace: '', attributes: {}, text: '', children: [] }]
  const say = (text: string) => {
    const last = open.at(-1) as Element
    last.text += text
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a doctype')
  })
  parser.on('processinginstruction', () => {
    throw new Error('a processing instruction')
  })
  parser.on('comment', () => {
    throw new Error('a comment')
  })
  parser.on('text', say)
  parser.on('cdata', say)
  parser.on('opentag', ({ name, uri, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element = { name, namespace: uri, attributes: Object.fromEntries(values), text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  const [root, ...more] = open[0]?.children ?? []
  if (!root || more.length > 0) throw new Error('not one root')
  return root
}

export const all = (element: Element, name: string) => element.children.filter((child) => child.name === name)

/** The only child of a name: throws where there are more, or none. */
export function one(element: Element, name: string): Element {
  const [first, ...more] = all(element, name)
  if (!first || more.length > 0)
    throw new Error(`${element.name} has ${more.length + (first ? 1 : 0)} ${name}`)
  return first
}

export const textOf = (element: Element, name: string) => one(element, name).text

/** Every element below and this one. */
export const everyone = (element: Element): Element[] => [element, ...element.children.flatMap(everyone)]
