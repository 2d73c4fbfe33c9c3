import { Html } from '@/web/html'

/** The look of the pages, as far as a document that stands alone needs it: an element without holes. */
export const STYLE = new Html(`<style>
:root { color-scheme: light dark; --paper: #f7f4ed; --card: #fff; --ink: #1d2420; --quiet: #5a635d; --line: #ddd8cc; --accent: #1f6b4a }
@media (prefers-color-scheme: dark) { :root { --paper: #14181a; --card: #1d2326; --ink: #eceae4; --quiet: #a3aba6; --line: #343c40; --accent: #7fd0a8 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
header, main { max-width: 70rem; margin: 0 auto }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.25rem; margin: 0 }
p { margin: .25rem 0 }
a { color: var(--accent) }
.quiet { color: var(--quiet) }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; margin: 1rem 0 }
dl { margin: .75rem 0 0 }
dl div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 1rem; padding: .3rem 0; border-top: 1px solid var(--line) }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
.wide { overflow-x: auto; margin-top: .75rem }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { text-align: start; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); max-width: 22rem; overflow-wrap: anywhere }
th { color: var(--quiet); font-weight: 500; white-space: nowrap }
@media (max-width: 40rem) { body { padding: 1rem } dl div { grid-template-columns: 1fr; gap: 0 } }
@media print { section { break-inside: avoid; border: 0 } }
</style>`)
