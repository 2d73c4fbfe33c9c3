import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')

/** A repository with the files that lie here as one release, and a next one that has a migration more. */
export function makeReleases(folder: string, tag: string, next: string): string {
  const repository = join(folder, 'folkmoot.git')
  const script = `
    set -e
    git init --quiet ${repository}
    git ls-files -z | xargs -0 cp --parents --target-directory=${repository}
    cd ${repository}
    git config user.name Test
    git config user.email test@folkmoot.example
    git add --all && git commit --quiet --message=One && git tag ${tag}`
  run(script)
  const journal = join(repository, 'migrations/meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as Journal
  const last = entries.at(-1) as Journal['entries'][number]
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1000, tag: '9999_next' }
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, entry] }))
  writeFileSync(join(repository, 'migrations/9999_next.sql'), `comment on table "users" is 'People.';\n`)
  const description = join(repository, 'package.json')
  const text = readFileSync(description, 'utf8')
  writeFileSync(description, text.replace(/"version": "[^"]+"/, `"version": "${next.slice(1)}"`))
  run(`cd ${repository} && git add --all && git commit --quiet --message=Two && git tag ${next}`)
  return repository
}

type Journal = { entries: { idx: number; when: number; tag: string }[] }

function run(script: string) {
  const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
