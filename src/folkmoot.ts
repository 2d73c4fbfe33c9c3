#!/usr/bin/env bun
import { runOrExplain } from './lifecycle/explain'

const [first, ...others] = process.argv.slice(2)

if (first === 'mcp') {
  // What stands on standard output is the protocol, and nothing else.
  const { bridge } = await import('./cli/mcp')
  process.exit(await bridge(others, process.env))
}

await runOrExplain(async () => {
  const { folkmoot } = await import('./cli/folkmoot')
  process.exitCode = await folkmoot(process.argv.slice(2))
})
