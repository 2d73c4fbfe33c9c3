import sharp from 'sharp'

/** Four fields of colour, so that one sees which way up a picture is: red and green above blue and white. */
export function drawn(width: number, height: number) {
  const field = (colour: string, x: number, y: number) =>
    `<rect x="${x}" y="${y}" width="${width / 2}" height="${height / 2}" fill="${colour}"/>`
  const fields = [
    field('#f00', 0, 0),
    field('#0f0', width / 2, 0),
    field('#00f', 0, height / 2),
    field('#fff', width / 2, height / 2),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${fields.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha()
}

/** Noise, which no encoder makes small. */
export const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

/** An animation whose frames fade from black to white. */
export async function animation(width: number, height: number, frames: number) {
  const frame = (grey: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: grey, g: grey, b: grey } } })
  const drawings = Array.from({ length: frames }, (_, index) =>
    frame(Math.round((255 * index) / frames))
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(drawings), { join: { animated: true } })
}

/** The colours in the middle of the four fields, as letters. */
export async function fieldsOf(picture: Uint8Array | string) {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const letter = (x: number, y: number) => {
    const at = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels
    const [red = 0, green = 0, blue = 0] = [...data.subarray(at, at + 3)].map((value) =>
      value > 127 ? 1 : 0,
    )
    return 'kbgcrmyw'[red * 4 + green * 2 + blue]
  }
  return [letter(0.25, 0.25), letter(0.75, 0.25), letter(0.25, 0.75), letter(0.75, 0.75)].join('')
}
