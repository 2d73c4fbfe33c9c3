import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

test('a release without installed packages says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-bare-'))
  for (const name of ['src', 'workers', 'migrations', 'package.json', 'tsconfig.json', 'bunfig.toml'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const entry of ['src/folkmoot.ts', 'src/server.ts', 'workers/main.ts']) {
    const child = Bun.spawn([process.execPath, entry, 'doctor'], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
      stderr: 'pipe',
    })
    const errors = await new Response(child.stderr).text()
    expect([entry, await child.exited, errors]).toEqual([
      entry,
      1,
      expect.stringMatching(
        /^\nA package of this release is not installed \(\S+\): run "bun install --frozen-lockfile --production".+\.\n\n$/,
      ),
    ])
  }
})
