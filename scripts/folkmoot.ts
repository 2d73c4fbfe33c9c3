const [first, ...others] = process.argv.slice(2)

if (first === 'mcp') {
  // What stands on standard output is the protocol, and nothing else.
  const { bridge } = await import('../src/cli/mcp')
  process.exit(await bridge(others, process.env))
}

const { bootstrap } = await import('./bootstrap')
process.chdir(`${import.meta.dir}/..`)
await bootstrap({ development: false })
const { runOrExplain } = await import('../src/lifecycle/explain')
await runOrExplain(async () => {
  const { folkmoot } = await import('../src/cli/folkmoot')
  process.exitCode = await folkmoot(process.argv.slice(2))
})
