import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { del, get } from '../support/api'
import { startServer, until } from '../support/processes'
import { seedPeople } from '../support/seed'
import { newBucket } from '../support/swift/bucket'
import { type Swift, startSwift } from '../support/swift/swift'
import { emptyDatabase } from '../support/upgrades/histories'
import { uploadWorld } from '../support/upload-world'
import { ask, asPng, png } from '../support/uploads'

let swift: Swift
beforeAll(async () => {
  swift = await startSwift()
})
afterAll(() => swift?.stop())

describe('a server whose files are in S3', () => {
  test('lets people send to the bucket itself, checks what came, serves it and removes it', async () => {
    const world = await uploadWorld()
    const { settings } = await newBucket(swift, 'town/')
    const server = await startServer({
      FOLKMOOT_MODE: 'test',
      DATABASE_URL: world.databaseUrl,
      DATA_DIR: join(world.folder, 'data'),
      WORKER: 'embedded',
      ...settings,
    })
    const base = server.url
    const pathOf = (url: string) => base + new URL(url).pathname
    try {
      const [person] = await seedPeople(world.databaseUrl, 1, ['write:uploads'])
      const token = person?.token as string
      const picture = png(400, 300)
      const good = await ask(token, asPng(picture), base)
      expect(good.uploadUrl).toStartWith(`${swift.endpoint}/`)
      const put = (url: string, body: Uint8Array<ArrayBuffer>) =>
        fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/png' } })
      expect((await put(good.uploadUrl, picture)).status).toBe(200)

      const page = new TextEncoder().encode('<script>alert(1)</script>')
      const bad = await ask(token, asPng(page), base)
      expect((await put(bad.uploadUrl, page)).status).toBe(200)
      const never = await ask(token, asPng(picture), base)

      await until('the picture is served', async () => (await fetch(pathOf(good.publicUrl))).ok)
      const whole = await fetch(pathOf(good.publicUrl))
      expect(new TextDecoder().decode(await whole.arrayBuffer()).slice(1, 4)).toBe('PNG')
      expect(whole.headers.get('content-type')).toBe('image/png')
      const part = await fetch(pathOf(good.publicUrl), { headers: { range: 'bytes=1-3' } })
      expect([part.status, await part.text()]).toEqual([206, 'PNG'])
      const smaller = await fetch(`${pathOf(good.publicUrl)}?w=160`)
      expect([smaller.status, (await smaller.arrayBuffer()).byteLength > 50]).toEqual([200, true])
      const head = await fetch(pathOf(good.publicUrl), { method: 'HEAD' })
      expect([head.status, head.headers.get('etag')]).toEqual([200, whole.headers.get('etag')])

      await until('the page is refused', async () =>
        /was refused/.test(await (await fetch(pathOf(bad.publicUrl))).text()),
      )
      expect((await fetch(pathOf(never.publicUrl))).status).toBe(404)
      const doctor = () => world.folkmoot(['storage', 'doctor', '--hash', '--json'], settings)
      const { output, exitCode } = await doctor()
      expect(exitCode).toBe(0)
      expect(JSON.parse(output).data.objects).toBeGreaterThan(1)

      expect((await del(`/v1/uploads/${good.key}`, { token, base })).status).toBe(200)
      expect((await fetch(pathOf(good.publicUrl))).status).toBe(404)
      await until('its objects are gone', async () => JSON.parse((await doctor()).output).data.objects === 0)
      expect((await get('/v1/uploads', { token, base })).body.data).toEqual([])
    } finally {
      await server.stop()
    }
  })
})

describe('folkmoot backup', () => {
  test('takes files out of a bucket, and restore brings them into another, or says what is wrong', async () => {
    const { ready, folkmoot, folder } = await uploadWorld()
    for (let i = 0; i < 3; i += 1) await ready()
    const [from, to] = [await newBucket(swift, 'town/'), await newBucket(swift)]
    expect((await folkmoot(['storage', 'move', from.url], from.keys)).exitCode).toBe(0)
    const backups = mkdtempSync(join(tmpdir(), 'folkmoot-backups-'))
    const backup = (environment: Record<string, string>) =>
      folkmoot(['backup', '--to', join(backups, 'town.backup')], { ...from.settings, ...environment })

    const refused = await backup({ STORAGE_SECRET_KEY: 'wrong' })
    expect([refused.exitCode, refused.errors]).toEqual([
      1,
      expect.stringContaining('the storage refuses the keys'),
    ])
    expect(readdirSync(backups)).toEqual([])

    const made = await backup({})
    expect([made.exitCode, made.output]).toEqual([0, expect.stringContaining('6 files')])
    expect(readdirSync(join(folder, 'data/uploads/scratch'))).toEqual([])
    const there = { ...to.settings, DATABASE_URL: await emptyDatabase() }
    expect((await folkmoot(['restore', join(backups, 'town.backup')], there)).exitCode).toBe(0)
    const { exitCode, output } = await folkmoot(['storage', 'doctor', '--hash'], there)
    expect([exitCode, output]).toEqual([0, expect.stringContaining('3 uploads, 0 print sheets; 6 files')])
  })
})

describe('folkmoot storage move', () => {
  test('killed in the middle goes on, from a folder to S3 and from there to another', async () => {
    const { ready, start, folkmoot } = await uploadWorld()
    const { url, settings, keys } = await newBucket(swift)
    for (let i = 0; i < 60; i += 1) await ready(`${crypto.randomUUID()} `.repeat(500))
    const child = start(['storage', 'move', url], keys)
    const reader = child.stderr.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(
      /^Copying what is missing: 1 file of 120, \d/,
    )
    child.kill('SIGKILL')
    await child.exited

    const again = await folkmoot(['storage', 'move', url, '--json'], keys)
    expect(again.exitCode).toBe(0)
    const { data } = JSON.parse(again.output)
    expect(data).toMatchObject({ objects: 120, gone: 0 })
    expect(data.copied + data.skipped).toBe(120)
    expect([data.copied > 0, data.skipped > 0]).toEqual([true, true])
    expect(again.output + again.errors).not.toContain(settings.STORAGE_SECRET_KEY)
    expect((await folkmoot(['storage', 'doctor', '--hash'], settings)).exitCode).toBe(0)

    const home = pathToFileURL(mkdtempSync(join(tmpdir(), 'folkmoot-home-'))).href
    const back = JSON.parse((await folkmoot(['storage', 'move', home, '--json'], settings)).output).data
    expect(back).toMatchObject({ objects: 120, copied: 120 })
    const { output, exitCode } = await folkmoot(['storage', 'doctor', '--hash'], { STORAGE_URL: home })
    expect([exitCode, output]).toEqual([0, expect.stringContaining('60 uploads, 0 print sheets; 120 files')])
  })

  test('between two buckets takes the keys of each', async () => {
    const { ready, folkmoot } = await uploadWorld()
    const { url, keys } = await newBucket(swift)
    await ready()
    const moveKeys = {
      STORAGE_ACCESS_KEY: 'of-another',
      STORAGE_SECRET_KEY: 'store',
      STORAGE_MOVE_ACCESS_KEY: keys.STORAGE_ACCESS_KEY,
      STORAGE_MOVE_SECRET_KEY: keys.STORAGE_SECRET_KEY,
    }
    expect((await folkmoot(['storage', 'move', url], moveKeys)).exitCode).toBe(0)
    const wrong = await folkmoot(['storage', 'move', url], { ...moveKeys, STORAGE_MOVE_SECRET_KEY: 'wrong' })
    expect([wrong.exitCode, wrong.errors]).toEqual([
      1,
      expect.stringContaining('the storage refuses the keys'),
    ])
  })
})
