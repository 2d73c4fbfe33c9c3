import { beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipWriter } from '@/modules/account/privacy/export/zip/writer'
import { bytesOf, made } from '../modules/account/privacy/exported'
import { run } from '../subscribers/run'
import { makeCaller } from '../support/make'
import { makeUpload } from '../support/make-upload'
import { demandPackage, hasProgram, PYTHON } from '../support/packages'

beforeAll(() => {
  demandPackage('unzip', hasProgram('unzip'))
  demandPackage('python3', hasProgram(PYTHON))
})

const READ = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps({
        'broken': archive.testzip(),
        'names': archive.namelist(),
        'sizes': [entry.file_size for entry in archive.infolist()],
        'users': json.loads(archive.read('data/users.json')) if 'data/users.json' in archive.namelist() else None,
    }))
`
const readWithPython = async (path: string) => JSON.parse(await run([PYTHON, '-c', READ, path]))

test('an export is an archive that unzip and python find nothing wrong with', async () => {
  const { token, user } = await makeCaller(['user'], { name: 'Zoë 漢字 🎉' })
  for (const filename of ['../../etc/passwd', 'CON', '漢字 🎉.png', '.htaccess', 'a\u202egnp.exe'])
    await makeUpload(user.id, { filename, content: crypto.getRandomValues(new Uint8Array(50_000)) })
  const path = join(tmpdir(), `export-${user.id}.zip`)
  await Bun.write(path, await bytesOf((await made({ token })).url))
  expect(await run(['unzip', '-t', path])).toContain('No errors detected')
  const { broken, names, users } = await readWithPython(path)
  expect([broken, users[0].name]).toEqual([null, 'Zoë 漢字 🎉'])
  const files = names.filter((name: string) => name.startsWith('files/'))
  expect(files.length).toBe(5)
  for (const name of files) expect(name).toMatch(/^files\/avatar\/[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.png$/u)
  rmSync(path)
})

test('an archive of more entries than the short form can count is read to its end', async () => {
  const path = join(tmpdir(), `many-${Bun.randomUUIDv7()}.zip`)
  const zip = await zipWriter(path)
  const [count, at] = [70_000, new Date()]
  for (let i = 0; i < count; i += 1)
    await zip.add({ name: `${i}`, at, isPacked: true }, [Buffer.from(`${i}`)])
  await zip.finish()
  await zip.close()
  const { broken, names, sizes } = await readWithPython(path)
  expect([broken, names.length, names.at(-1), sizes.at(-1)]).toEqual([null, count, `${count - 1}`, 5])
  rmSync(path)
})

test('an archive longer than four gigabytes is read to its end', async () => {
  const path = join(tmpdir(), `long-${Bun.randomUUIDv7()}.zip`)
  const zip = await zipWriter(path, 2 ** 32)
  await zip.add({ name: 'far', at: new Date() }, [Buffer.from('beyond')])
  await zip.finish()
  await zip.close()
  const { broken, names, sizes } = await readWithPython(path)
  expect([broken, names, sizes]).toEqual([null, ['far'], [6]])
  rmSync(path)
})
