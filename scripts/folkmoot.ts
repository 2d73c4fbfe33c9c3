import { bootstrap } from './bootstrap'

// The MCP bridge runs beside the agent, and its standard output carries only the protocol.
if (process.argv[2] !== 'mcp') {
  process.chdir(`${import.meta.dir}/..`)
  await bootstrap({ development: false })
}
await import('../src/folkmoot')
