#!/usr/bin/env bun
import { loadParts } from './lifecycle/bundle'
import { runOrExplain } from './lifecycle/explain'

const [first, ...others] = process.argv.slice(2)

if (first === 'mcp') {
  // Standard output carries only the protocol.
  const { bridge } = await import('./cli/mcp')
  process.exit(await bridge(others, process.env))
}

await runOrExplain(async () => {
  const { commands } = await loadParts(() => import('./parts'))
  process.exitCode = await (await commands()).folkmoot(process.argv.slice(2))
})
