import { bootstrap } from './bootstrap'

// The bridge for agents runs where the agent runs, and must say nothing but the protocol.
if (process.argv[2] !== 'mcp') {
  process.chdir(`${import.meta.dir}/..`)
  await bootstrap({ development: false })
}
await import('../src/folkmoot')
