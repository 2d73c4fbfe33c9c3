import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test('a full disk is said as such, leaves nothing half-written, and is still read from', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-full-'))
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const script = join(import.meta.dir, '../support/fill-disk.ts')
  // The mount is seen by that process alone, and ends with it.
  const child = Bun.spawn(
    [
      ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
      'mount -t tmpfs -o size=1m none "$1" && exec "$2" "$3" "$1" "$4"',
      ...['sh', disk, process.execPath, script, folder],
    ],
    { env: { ...process.env }, cwd: join(import.meta.dir, '../..'), stdout: 'pipe', stderr: 'inherit' },
  )
  const said = JSON.parse(await new Response(child.stdout).text())
  expect(said).toEqual({
    isFull: true,
    taken: expect.any(Number),
    agrees: true,
    whole: true,
    unfinished: 0,
    room: expect.any(Number),
  })
  expect(said.taken).toBeGreaterThan(3)
  expect(said.room).toBeLessThan(150_000)
})
