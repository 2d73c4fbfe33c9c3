import { chanceOf } from './chance'

const GROUNDS = ['#f2d9b8', '#d9e4d3', '#efc9b4', '#cfdde6', '#e8d3dd', '#f0e2b6', '#d6d9ee', '#cfe3dc']
const SKINS = ['#f3cfb3', '#e6b48f', '#c98f68', '#a06a48', '#7a4b32', '#5b3725']
const HAIR = ['#2b211d', '#4a3228', '#7a4a2b', '#b5793f', '#d9b26a', '#8c8a88', '#a8452f']
const CLOTHES = ['#1f6f54', '#2f4858', '#b5532f', '#7d5a8c', '#c98a2b', '#3d6b8e', '#8c3b4a', '#4f6b3a']

type Look = { skin: string; hair: string; cloth: string }

/** Background and head. */
const HEADS: ((look: Look) => { behind: string; front: string })[] = [
  ({ hair }) => ({
    behind: '',
    front: `<path d="M98 150a62 62 0 0 1 124 0c-30-26-88-34-124 0z" fill="${hair}"/>`,
  }),
  ({ hair }) => ({
    behind: `<path d="M88 146a72 72 0 0 1 144 0v84q-72 26-144 0z" fill="${hair}"/>`,
    front: `<path d="M100 148c6-50 96-62 120 0c-34-10-60-24-72-38c-8 18-24 32-48 38z" fill="${hair}"/>`,
  }),
  ({ hair }) => ({
    behind: `<circle cx="160" cy="72" r="30" fill="${hair}"/>`,
    front: `<path d="M99 146a61 61 0 0 1 122 0c-24-30-92-34-122 0z" fill="${hair}"/>`,
  }),
  ({ hair }) => ({
    behind: [0, 1, 2, 3, 4, 5, 6]
      .map(
        (i) =>
          `<circle cx="${95 + i * 21.7}" cy="${118 - 34 * Math.sin((Math.PI * i) / 6)}" r="31" fill="${hair}"/>`,
      )
      .join(''),
    front: '',
  }),
  ({ cloth }) => ({
    behind: `<path d="M84 152a76 80 0 0 1 152 0c4 50-16 84-24 100h-104c-8-16-28-50-24-100z" fill="${cloth}"/>`,
    front: `<path d="M98 150a62 62 0 0 1 124 0c-20-34-104-34-124 0z" fill="${cloth}"/>`,
  }),
  ({ cloth }) => ({
    behind: '',
    front: `<path d="M97 136a63 60 0 0 1 126 0z" fill="${cloth}"/><rect x="88" y="130" width="144" height="14" rx="7" fill="${cloth}"/>`,
  }),
  () => ({ behind: '', front: '' }),
]

/** Hair must contrast with skin. */
const distance = (one: string, other: string) =>
  [1, 3, 5].reduce((sum, at) => sum + Math.abs(channel(one, at) - channel(other, at)), 0)
const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)

/** A faceless portrait: head, shoulders, hair or a hat, on a plain background. */
export function portrait(name: string): string {
  const { one, whole, number } = chanceOf(name)
  const [ground, skin, cloth] = [one(GROUNDS), one(SKINS), one(CLOTHES)]
  const look = {
    skin,
    hair: one(HAIR.filter((hair) => distance(hair, skin) > 60)),
    cloth: one(CLOTHES.filter((other) => other !== cloth)),
  }
  const { behind, front } = one(HEADS)(look)
  const sun = `<circle cx="${whole(20, 300)}" cy="${whole(30, 110)}" r="${whole(36, 90)}" fill="#fff" opacity=".35"/>`
  const stripe =
    number(0, 1) < 0.4 ? `<path d="M50 290q110-56 220 0v14q-110-56-220 0z" fill="#fff" opacity=".45"/>` : ''
  const glasses =
    number(0, 1) < 0.3
      ? `<g fill="none" stroke="#2b2b2b" stroke-width="5" opacity=".75"><circle cx="137" cy="158" r="17"/><circle cx="183" cy="158" r="17"/><path d="M154 156h12"/></g>`
      : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320"><rect width="320" height="320" fill="${ground}"/>${sun}${behind}
<rect x="138" y="190" width="44" height="56" rx="20" fill="${skin}"/><path d="M138 214q22 18 44 0v14q-22 16-44 0z" opacity=".16"/>
<path d="M40 320c0-64 54-92 120-92s120 28 120 92z" fill="${cloth}"/>${stripe}
<path d="M130 229q30 34 60 0l-8-6h-44z" fill="${skin}"/>
<ellipse cx="160" cy="158" rx="56" ry="62" fill="${skin}"/>${front}${glasses}</svg>`
}
