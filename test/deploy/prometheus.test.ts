import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { scrape } from '../support/metrics'
import { demandPackage, hasProgram } from '../support/packages'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { freePort } from '../support/redis'

demandPackage('prometheus', hasProgram('promtool'))
demandPackage('prometheus-alertmanager', hasProgram('amtool'))

const deploy = join(import.meta.dir, '../../deploy')

const promtool = (words: string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: deploy, input, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

test('the alerts and what is collected are as Prometheus wants them', () => {
  expect(promtool(['check', 'rules', 'alerts.yaml'])).toEqual({
    status: 0,
    output: expect.stringContaining('SUCCESS'),
  })
  for (const config of ['prometheus.yaml', 'prometheus-compose.yaml'])
    expect(promtool(['check', 'config', config])).toEqual({ status: 0, output: expect.any(String) })
})

test('the configuration of mails is valid for Alertmanager', () => {
  const { status, stdout } = spawnSync('amtool', ['check-config', 'alertmanager.yaml'], {
    cwd: deploy,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('alerts are raised by what they are for, and by nothing else', () => {
  expect(promtool(['test', 'rules', 'alerts.test.yaml'])).toEqual({
    status: 0,
    output: expect.stringContaining('SUCCESS'),
  })
})

test('the figures of a server and of a worker are without fault', async () => {
  const databaseUrl = await ownDatabase()
  const [api, work] = [await freePort(), await freePort()]
  const server = await startServer({ DATABASE_URL: databaseUrl, METRICS_PORT: String(api) })
  const worker = startWorker({ DATABASE_URL: databaseUrl, METRICS_PORT: String(work) })
  try {
    await until('the worker is ready', () => worker.output().includes('worker ready'))
    for (const port of [api, work]) {
      await fetch(`${server.url}/v1/me`)
      expect(promtool(['check', 'metrics'], await scrape(port))).toEqual({ status: 0, output: '' })
    }
  } finally {
    await Promise.all([server.stop('SIGKILL'), worker.stop('SIGKILL')])
  }
})
