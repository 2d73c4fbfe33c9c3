import { beforeAll, expect, test } from 'bun:test'
import { renderAtom } from '@/modules/gatherings/feeds/news/atom'
import { renderRss } from '@/modules/gatherings/feeds/news/rss'
import { inEachField } from '../modules/gatherings/feeds/news/hostile-events'
import { HEAD } from '../modules/gatherings/feeds/news/samples'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { demandPackage, hasProgram } from '../support/packages'

beforeAll(() => demandPackage('libxml2-utils', hasProgram('xmllint')))

/** libxml2 is below most readers on Linux, and its mind on what is well-formed is its own. */
test.each([renderRss, renderAtom])('libxml2 reads every hostile text: %p', async (render) => {
  const title = HOSTILE_TEXTS.join(' ')
  const xml = await render({ ...HEAD, title, description: title }, HOSTILE_TEXTS.flatMap(inEachField))
  const child = Bun.spawn(['xmllint', '--noout', '--nonet', '--huge', '-'], {
    stdin: new Blob([xml]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await new Response(child.stderr).text()).toBe('')
  expect(await child.exited).toBe(0)
})
