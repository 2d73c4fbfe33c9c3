import { bootstrap } from './bootstrap'

await bootstrap({ development: false })
process.argv.splice(2, 0, 'migrate')
await import('../src/folkmoot')
