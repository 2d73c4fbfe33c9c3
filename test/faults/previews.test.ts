import { afterAll, describe, expect, test } from 'bun:test'
import { endPainter, isPainting, painterPid } from '@/site/previews/preview'
import { apiUrl } from '../support/api'
import { makeEvent, makeGroup } from '../support/make'
import { until } from '../support/processes'

afterAll(endPainter)

describe('where the process that draws the picture of an event', () => {
  const made = async () => (await makeEvent((await makeGroup()).id)).id
  const ask = (id: string) => fetch(`${apiUrl()}/events/${id}/preview.png`)

  /** The process that draws now, stopped, so that it draws nothing. */
  async function stopped(but?: number): Promise<number> {
    await until('it is there', () => painterPid() !== undefined && painterPid() !== but)
    const pid = painterPid() as number
    process.kill(pid, 'SIGSTOP')
    return pid
  }

  test('dies, another draws it; if that dies as well, it is for later', async () => {
    expect((await ask(await made())).status).toBe(200)
    const first = await stopped()
    const drawn = ask(await made())
    await until('it is asked', isPainting)
    process.kill(first, 'SIGKILL')
    expect((await drawn).status).toBe(200)

    const second = await stopped()
    const refused = ask(await made())
    await until('it is asked', isPainting)
    process.kill(second, 'SIGKILL')
    process.kill(await stopped(second), 'SIGKILL')
    const { status, headers } = await refused
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  })

  test('hangs, it is for later', async () => {
    expect((await ask(await made())).status).toBe(200)
    await stopped()
    expect((await ask(await made())).status).toBe(503)
    expect((await ask(await made())).status).toBe(200)
  })
})
