import { expect, test } from 'bun:test'
import { environmentOf, look } from '@/lifecycle/process-table'
import { ownDatabase, startServer } from '../support/processes'

const GROWTH = 'BUN_JSC_heapGrowthMaxIncrease'
const SMALL = 'BUN_JSC_largeHeapSize'

test('a server sets its runtime options and keeps its process id and command line', async () => {
  const server = await startServer({ DATABASE_URL: await ownDatabase() })
  expect(environmentOf(server.pid).get(GROWTH)).toBe('1')
  expect(environmentOf(server.pid).get(SMALL)).toBe('33554432')
  expect(look(server.pid)?.command.slice(1)).toEqual(['src/server.ts'])
  expect(await server.stop('SIGTERM')).toBe(0)
})

test('an option set by the host stays', async () => {
  const server = await startServer({ DATABASE_URL: await ownDatabase(), [GROWTH]: '0.5' })
  expect(environmentOf(server.pid).get(GROWTH)).toBe('0.5')
  expect(environmentOf(server.pid).get(SMALL)).toBe('33554432')
  await server.stop()
})
