import { bootstrap } from './bootstrap'

await bootstrap({ development: false })
await import('../src/lifecycle/make-bundle')
