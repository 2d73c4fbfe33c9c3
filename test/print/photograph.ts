import sharp from 'sharp'

/** A picture in grey, a byte for each pixel. */
export type Picture = { pixels: Uint8Array; width: number; height: number }

export type Camera = {
  /** How the paper is turned, in degrees. */
  turn: number
  /** How much farther away the far edge is: a tenth makes it a tenth shorter. */
  tilt: number
  /** Pixels of the photograph for one of the picture. */
  scale: number
  /** Standard deviation of the blur, in pixels of the photograph. */
  blur: number
  contrast: number
  /** Standard deviation of the sensor's noise, in steps of 255. */
  noise: number
}

/** What a phone sees of a piece of paper on a grey table: turned, seen at a slant, out of focus, in poor light. */
export async function photograph(
  { pixels, width, height }: Picture,
  camera: Camera,
  random: () => number,
): Promise<Picture> {
  const side = Math.ceil(Math.hypot(width, height) * camera.scale * (1 + camera.tilt)) + 40
  const seen = new Uint8Array(side * side).fill(170)
  const [sine, cosine] = [Math.sin((camera.turn * Math.PI) / 180), Math.cos((camera.turn * Math.PI) / 180)]
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      // From the photograph back to the paper: undo the slant, then the turn.
      const [u, v] = [(x - side / 2) / camera.scale, (y - side / 2) / camera.scale]
      const depth = 1 + (camera.tilt * v) / height
      const [a, b] = [u / depth, v / depth]
      const fromX = cosine * a + sine * b + width / 2
      const fromY = cosine * b - sine * a + height / 2
      if (fromX >= 0 && fromY >= 0 && fromX < width - 1 && fromY < height - 1)
        seen[y * side + x] = between(pixels, width, fromX, fromY)
    }
  const data = await sharp(seen, { raw: { width: side, height: side, channels: 1 } })
    .blur(camera.blur)
    .linear(camera.contrast, 255 * 0.7 * (1 - camera.contrast))
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  // Four even chances make a bell that is near enough.
  const bell = () => (random() + random() + random() + random() - 2) * Math.sqrt(3)
  const noisy = Uint8ClampedArray.from(data, (grey) => grey + camera.noise * bell())
  return { pixels: new Uint8Array(noisy.buffer), width: side, height: side }
}

function between(pixels: Uint8Array, width: number, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [dx, dy] = [x - left, y - top]
  const at = top * width + left
  const upper = (pixels[at] as number) * (1 - dx) + (pixels[at + 1] as number) * dx
  const lower = (pixels[at + width] as number) * (1 - dx) + (pixels[at + width + 1] as number) * dx
  return upper * (1 - dy) + lower * dy
}
