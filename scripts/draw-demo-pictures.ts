import { join } from 'node:path'
import sharp from 'sharp'
import { AVATARS, EVENT_PHOTOS, GROUP_PICTURES } from '@/demo/pictures/seed'
import { portrait } from './demo-pictures/portrait'
import { type Size, scene } from './demo-pictures/scenes'

/* Draws the pictures of the demo community into src/demo/pictures/. The same code draws the same pictures. */

const folder = join(import.meta.dir, '../src/demo/pictures')

const SQUARE = { width: 480, height: 480 }
const COVER = { width: 1200, height: 400 }
const PHOTO = { width: 960, height: 540 }

const rendered = (svg: string, { width, height }: Size) => sharp(Buffer.from(svg)).resize(width, height)

for (const { username, file } of AVATARS)
  await rendered(portrait(username), { width: 320, height: 320 })
    .webp({ quality: 82 })
    .toFile(join(folder, file))
for (const { group, urlname, photo, hero } of GROUP_PICTURES) {
  await rendered(scene(group, urlname, SQUARE), SQUARE)
    .png({ palette: true, colors: 48, effort: 10 })
    .toFile(join(folder, photo))
  await rendered(scene(group, `${urlname} cover`, COVER), COVER)
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(join(folder, hero))
}
for (const { title, group, file } of EVENT_PHOTOS)
  await rendered(scene(group, title, PHOTO), PHOTO)
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(join(folder, file))
