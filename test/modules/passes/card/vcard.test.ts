import { describe, expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { splitName, vcardOf } from '@/modules/passes/card/vcard'
import { HOSTILE_ADDRESSES, HOSTILE_TEXTS } from '../../../support/hostile-texts'
import { componentsOf, parseVcard, valuesOf } from './parse-vcard'

const nameOnly = (name: string) => vcardOf({ name, photo: null, addresses: [] })

describe('a contact', () => {
  test('holds name, picture and addresses, and nothing else', () => {
    const bytes = crypto.getRandomValues(new Uint8Array(5000))
    const text = vcardOf({
      name: 'José van der Zee, Jr.; \\o/',
      photo: { type: 'JPEG', bytes },
      addresses: ['https://ours.example/u/jose', 'https://a.example/x;y,z?q=ä'],
    })
    const properties = parseVcard(text)
    expect(properties.map(({ name }) => name)).toEqual([
      ...['BEGIN', 'VERSION', 'N', 'FN', 'PHOTO', 'URL', 'URL', 'END'],
    ])
    expect(valuesOf(properties, 'VERSION')).toEqual(['3.0'])
    expect(valuesOf(properties, 'FN').map(componentsOf)).toEqual([['José van der Zee, Jr.; \\o/']])
    expect(valuesOf(properties, 'URL')).toEqual([
      'https://ours.example/u/jose',
      'https://a.example/x;y,z?q=%C3%A4',
    ])
    const [photo] = properties.filter(({ name }) => name === 'PHOTO')
    expect(photo?.parameters).toEqual({ ENCODING: 'b', TYPE: 'JPEG' })
    expect(Buffer.from(photo?.value ?? '', 'base64').equals(bytes)).toBe(true)
  })

  test('names a picture that is too large for it', () => {
    const photo = { url: 'https://ours.example/v1/uploads/file/avatar/x/y.webp' }
    const [line] = parseVcard(vcardOf({ name: 'Ada', photo, addresses: [] })).filter(
      ({ name }) => name === 'PHOTO',
    )
    expect(line).toMatchObject({ parameters: { VALUE: 'uri' }, value: photo.url })
  })

  test('is read by others as it was meant', () => {
    // A semicolon is left out: this reader knows its escape in calendars only.
    const text = vcardOf({
      name: `${'Donaudampfschifffahrtsgesellschaft '.repeat(4)}, محمد 李`,
      photo: null,
      addresses: ['https://a.example/'],
    })
    const [, properties] = ICAL.parse(text) as unknown as [string, [string, object, string, unknown][]]
    const read = (wanted: string) => properties.find(([name]) => name === wanted)?.[3]
    expect(read('fn')).toBe(`${'Donaudampfschifffahrtsgesellschaft '.repeat(4)}, محمد 李`)
    expect(read('url')).toBe('https://a.example/')
    expect(read('n')).toHaveLength(5)
  })

  test('is valid for any name, without injected lines', () => {
    for (const text of HOSTILE_TEXTS) {
      const properties = parseVcard(nameOnly(text))
      expect(properties.map(({ name }) => name)).toEqual(['BEGIN', 'VERSION', 'N', 'FN', 'END'])
      const shown = text
        .toWellFormed()
        .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
        .trim()
      expect(valuesOf(properties, 'FN').map(componentsOf)).toEqual([[shown]])
      expect(componentsOf(valuesOf(properties, 'N')[0] as string)).toHaveLength(5)
    }
    for (const address of HOSTILE_ADDRESSES)
      for (const value of valuesOf(
        parseVcard(vcardOf({ name: 'A', photo: null, addresses: [address] })),
        'URL',
      ))
        expect(value).toMatch(/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/)
  })
})

test('a name is split where address books sort it', () => {
  const split = (name: string) => Object.values(splitName(name)).join('|')
  expect(
    [
      ...['Ada Okafor', 'Madonna', 'José van der Zee', 'Ludwig van Beethoven', 'María de la Cruz'],
      ...['李 小龍', '村上 春樹', 'محمد علي', '  Ada   Okafor ', 'van der Zee', 'Jean Paul Sartre', ''],
    ].map(split),
  ).toEqual([
    ...['Okafor|Ada', '|Madonna', 'van der Zee|José', 'van Beethoven|Ludwig', 'de la Cruz|María'],
    ...['李|小龍', '村上|春樹', 'علي|محمد', 'Okafor|Ada', 'der Zee|van', 'Sartre|Jean Paul', '|'],
  ])
})
