import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../support/handshake')
const programs = ['unshare', 'ip', 'python3'].map((name) =>
  Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` }),
)
const canBuildNetworks =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  existsSync('/dev/net/tun') &&
  !programs.includes(null) &&
  Bun.spawnSync(['unshare', '--net', 'true']).success
if (!canBuildNetworks)
  console.log('!! no network of its own: connections that begin at the end are NOT tested')

test.if(canBuildNetworks)(
  'who began to connect before the end is served; who begins after it is not heard',
  async () => {
    const peer = Bun.spawn(
      [
        'unshare',
        '--net',
        'python3',
        join(folder, 'peer.py'),
        process.execPath,
        join(folder, 'quiescing.ts'),
      ],
      { cwd: join(import.meta.dir, '../..'), stdout: 'pipe', stderr: 'pipe' },
    )
    const [said, errors] = await Promise.all([
      new Response(peer.stdout).text(),
      new Response(peer.stderr).text(),
    ])
    expect([said, errors]).toEqual(['begun: HTTP/1.1 200 OK\nnew: no answer\n', ''])
  },
  60_000,
)
