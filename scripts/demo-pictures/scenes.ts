import { type Chance, chanceOf } from './chance'

export type Size = { width: number; height: number }
type Draw = (chance: Chance, size: Size) => string

const many = (count: number, draw: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')

/** A line of hills across the picture. */
function hills({ number }: Chance, { width, height }: Size, level: number, fill: string): string {
  const [a, b, c] = [number(-0.1, 0.1), number(-0.1, 0.1), number(-0.08, 0.08)].map(
    (by) => (level + by) * height,
  )
  return `<path d="M0 ${a}C${width * 0.3} ${(a as number) - height * 0.14} ${width * 0.4} ${(b as number) + height * 0.12} ${width * 0.62} ${b}S${width * 0.9} ${(c as number) - height * 0.1} ${width} ${c}V${height}H0z" fill="${fill}"/>`
}

const river: Draw = (chance, size) => {
  const { width, height } = size
  const [sky, sun] = chance.one([
    ['#f4e3c3', '#e9a15b'],
    ['#dbe9e4', '#f2c879'],
    ['#f3d5bf', '#d9724a'],
  ] as const)
  const x = width * chance.number(0.2, 0.8)
  const wheel = height * 0.13
  const [left, right, ground] = [width * 0.34, width * 0.34 + wheel * 2.7, height * 0.83]
  return `<rect width="${width}" height="${height}" fill="${sky}"/><circle cx="${x}" cy="${height * 0.34}" r="${height * 0.17}" fill="${sun}"/>
${hills(chance, size, 0.52, '#a9c2a3')}${hills(chance, size, 0.62, '#6f9c7f')}
<path d="M${width * 0.66} ${height * 0.6}C${width * 0.5} ${height * 0.72} ${width * 0.9} ${height * 0.74} ${width * 0.62} ${height}H${width * 0.96}C${width} ${height * 0.76} ${width * 0.6} ${height * 0.72} ${width * 0.69} ${height * 0.6}z" fill="#8db9c7"/>
${hills(chance, size, 0.78, '#2f6f56')}
<g fill="none" stroke="#f8f1e4" stroke-width="${height * 0.018}" stroke-linecap="round" stroke-linejoin="round"><circle cx="${left}" cy="${ground}" r="${wheel}"/><circle cx="${right}" cy="${ground}" r="${wheel}"/>
<path d="M${left} ${ground}L${left + wheel * 0.75} ${ground - wheel * 1.1}H${right - wheel * 0.75}L${left + wheel * 1.25} ${ground}zM${left + wheel * 1.25} ${ground}L${left + wheel * 0.6} ${ground - wheel * 1.45}M${right} ${ground}L${right - wheel * 0.85} ${ground - wheel * 1.6}h${-wheel * 0.4}M${left + wheel * 0.3} ${ground - wheel * 1.45}h${wheel * 0.6}"/></g>`
}

const games: Draw = ({ one, whole, number }, { width, height }) => {
  const side = height / 4
  const colors = ['#efe4d2', '#d9c7e2', '#b79acb', '#7d5a9c', '#f0c98b', '#5b3f77']
  const columns = Math.ceil(width / side)
  const board = many(columns * 4, (i) => {
    const [x, y] = [(i % columns) * side, Math.floor(i / columns) * side]
    const [ground, color] = [one(colors.slice(0, 3)), one(colors.slice(3))]
    const cell = `<rect x="${x}" y="${y}" width="${side + 1}" height="${side + 1}" fill="${ground}"/>`
    const [cx, cy] = [x + side / 2, y + side / 2]
    if (number(0, 1) < 0.3) return cell
    return (
      cell +
      one([
        `<circle cx="${cx}" cy="${cy}" r="${side * 0.3}" fill="${color}"/>`,
        `<path d="M${cx} ${cy - side * 0.36}a${side * 0.14} ${side * 0.14} 0 0 1 ${side * 0.09} ${side * 0.25}q${side * 0.26} ${side * 0.08} ${side * 0.22} ${side * 0.22}l${-side * 0.14} ${side * 0.02}l${side * 0.1} ${side * 0.26}h${-side * 0.54}l${side * 0.1} ${-side * 0.26}l${-side * 0.14} ${-side * 0.02}q${-side * 0.04} ${-side * 0.14} ${side * 0.22} ${-side * 0.22}a${side * 0.14} ${side * 0.14} 0 0 1 ${side * 0.09} ${-side * 0.25}z" fill="${color}"/>`,
        `<rect x="${cx - side * 0.28}" y="${cy - side * 0.28}" width="${side * 0.56}" height="${side * 0.56}" rx="${side * 0.1}" fill="${color}"/>${many(whole(1, 5), (dot) => `<circle cx="${cx + [0, -0.15, 0.15, 0.15, -0.15][dot]! * side}" cy="${cy + [0, -0.15, 0.15, -0.15, 0.15][dot]! * side}" r="${side * 0.05}" fill="#fff"/>`)}`,
        `<path d="M${cx} ${cy - side * 0.32}l${side * 0.32} ${side * 0.32}l${-side * 0.32} ${side * 0.32}l${-side * 0.32} ${-side * 0.32}z" fill="${color}"/>`,
      ])
    )
  })
  return board
}

const workshop: Draw = ({ one, whole, number }, { width, height }) => {
  const colors = ['#2f6480', '#4f8fa8', '#e0a458', '#d2693c', '#9fc3cc', '#f6eee0']
  const gear = (x: number, y: number, r: number, teeth: number, fill: string) =>
    `<g transform="translate(${x} ${y}) rotate(${whole(0, 60)})" fill="${fill}"><circle r="${r}"/>${many(teeth, (i) => `<rect x="${-r * 0.15}" y="${-r * 1.22}" width="${r * 0.3}" height="${r * 0.45}" rx="${r * 0.06}" transform="rotate(${(360 / teeth) * i})"/>`)}<circle r="${r * 0.42}" fill="#e4edee"/></g>`
  const places = many(Math.round((width / height) * 3), (i) => {
    const r = height * number(0.11, 0.24)
    return gear(
      (height / 3) * (i + 0.5),
      height * number(0.18, 0.82),
      r,
      whole(8, 12),
      one(colors.slice(0, 5)),
    )
  })
  return `<rect width="${width}" height="${height}" fill="#e4edee"/><g stroke="#c8d9dc" stroke-width="2">${many(Math.ceil(width / 40), (i) => `<path d="M${i * 40} 0V${height}"/>`)}${many(Math.ceil(height / 40), (i) => `<path d="M0 ${i * 40}H${width}"/>`)}</g>${places}`
}

const books: Draw = ({ one, number }, { width, height }) => {
  const colors = ['#9c4a5b', '#c9758a', '#efd7c4', '#5b3a46', '#d8a25e', '#7c8f7a', '#34495a']
  const shelf = (level: number) => {
    let spines = ''
    for (let x = width * 0.02; x < width * 0.96; ) {
      const [thick, tall] = [height * number(0.05, 0.11), height * number(0.26, 0.4)]
      const [color, lean] = [one(colors), number(0, 1) < 0.12 ? number(4, 9) : 0]
      spines += `<g transform="rotate(${lean} ${x} ${level})"><rect x="${x}" y="${level - tall}" width="${thick}" height="${tall}" rx="3" fill="${color}"/><rect x="${x}" y="${level - tall * 0.82}" width="${thick}" height="${tall * 0.07}" fill="#fff" opacity=".5"/><rect x="${x}" y="${level - tall * 0.2}" width="${thick}" height="${tall * 0.04}" fill="#fff" opacity=".5"/></g>`
      x += thick + height * (lean ? 0.07 : 0.006)
    }
    return `${spines}<rect y="${level}" width="${width}" height="${height * 0.035}" fill="#8a5f42"/>`
  }
  return `<rect width="${width}" height="${height}" fill="#f5e8dd"/>${shelf(height * 0.46)}${shelf(height * 0.93)}`
}

const night: Draw = (chance, size) => {
  const { number, one } = chance
  const { width, height } = size
  const [deep, glow] = one([
    ['#1d2b45', '#3f5d86'],
    ['#232546', '#5b5a91'],
    ['#16303c', '#3d6f78'],
  ] as const)
  const [x, y, r] = [width * number(0.6, 0.85), height * number(0.2, 0.35), height * 0.13]
  const stars = many(Math.round((width * height) / 5200), () => {
    const [sx, sy] = [number(0, width), number(0, height * 0.72)]
    return `<circle cx="${sx.toFixed(1)}" cy="${sy.toFixed(1)}" r="${number(0.8, 2.6).toFixed(1)}" fill="#fdf3d8" opacity="${number(0.5, 1).toFixed(2)}"/>`
  })
  const trails = many(3, () => {
    const [tx, ty, long] = [width * number(0.08, 0.5), height * number(0.08, 0.4), height * number(0.1, 0.22)]
    return `<path d="M${tx} ${ty}l${long} ${long * 0.5}" stroke="#fdf3d8" stroke-width="2.5" stroke-linecap="round" opacity=".8"/>`
  })
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${deep}"/><stop offset="1" stop-color="${glow}"/></linearGradient><mask id="moon"><rect width="${width}" height="${height}" fill="#fff"/><circle cx="${x - r * 0.42}" cy="${y - r * 0.16}" r="${r * 0.9}"/></mask></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>${stars}${trails}
<circle cx="${x}" cy="${y}" r="${r}" fill="#f7e3b0" mask="url(#moon)"/>
${hills(chance, size, 0.74, '#22384d')}${hills(chance, size, 0.86, '#14232f')}`
}

/** One per group, in their order. */
const SCENES = [river, games, workshop, books, night]

/** A scene for a group, varied by name. */
export function scene(group: number, name: string, size: Size): string {
  const draw = SCENES[group] as Draw
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}">${draw(chanceOf(name), size)}</svg>`
}
