import { expect, test } from 'bun:test'
import { connect, createServer, type Server } from 'node:net'
import { openJobs } from '@/jobs/backend'
import { ownDatabase, until } from '../support/processes'
import { freePort } from '../support/redis'

/** A way to PostgreSQL that can be opened later. */
function openWay(port: number, to: URL): Promise<Server> {
  const way = createServer((socket) => {
    const there = connect(Number(to.port), to.hostname)
    socket.pipe(there).pipe(socket)
    for (const end of [socket, there]) end.on('error', () => {})
  })
  return new Promise((resolve) => {
    way.listen(port, '127.0.0.1', () => resolve(way))
  })
}

test('queues on a PostgreSQL that is not there yet wait without turning in circles, and work when it comes', async () => {
  const direct = new URL(await ownDatabase())
  const through = new URL(direct)
  through.hostname = '127.0.0.1'
  through.port = String(await freePort())
  const jobs = openJobs({ redisUrl: null, databaseUrl: through.href })
  const done: string[] = []
  jobs.work('late', async ({ data }) => {
    done.push(String(data.name))
  })
  const refused = await jobs
    .queue('late')
    .add('early', { name: 'early' })
    .then(
      () => false,
      () => true,
    )
  expect(refused).toBe(true)
  // A loop without a rest would keep this from ever coming round.
  await Bun.sleep(100)
  const way = await openWay(Number(through.port), direct)
  await until('a job can be added', () =>
    jobs
      .queue('late')
      .add('later', { name: 'later' })
      .then(
        () => true,
        () => false,
      ),
  )
  await until('it was done', () => done.includes('later'))
  await jobs.close()
  way.close()
})
