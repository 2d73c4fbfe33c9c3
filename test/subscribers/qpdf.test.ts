import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeRsvp, makeStaffedEvent } from '../modules/gatherings/checkins/fixtures'
import { bytesOf, made } from '../modules/gatherings/pass-sheets/made'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { makeUser } from '../support/make'
import { demandPackage, hasProgram } from '../support/packages'

beforeAll(() => demandPackage('qpdf', hasProgram('qpdf')))

/** What PostgreSQL keeps as text. */
const storable = HOSTILE_TEXTS.filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'))

test('badges with any names are a valid PDF', async () => {
  const title = storable.find((text) => text.includes('<script>')) as string
  const place = await makeStaffedEvent({ title })
  for (const name of storable) await makeRsvp(place.event.id, (await makeUser({ name })).id)
  for (const json of [
    { kind: 'badges', paper: 'badge-86x54' },
    { kind: 'stickers', paper: 'a4' },
  ]) {
    const sheet = await made(place, json)
    expect([sheet.status, sheet.error]).toEqual(['ready', null])
    const path = join(process.env.TEST_FOLDER as string, `${sheet.id}.pdf`)
    await Bun.write(path, await bytesOf(sheet.url))
    const checked = Bun.spawnSync(['qpdf', '--check', path])
    expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ''])
    if (json.kind === 'badges') expect(sheet.pages).toBe(storable.length)
  }
}, 120_000)
