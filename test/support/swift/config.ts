import { userInfo } from 'node:os'

export type Ports = { proxy: number; account: number; container: number; object: number }

/** An account and its user, as tempauth writes them: the access key has a colon. */
export const ACCESS_KEY = 'moot:keeper'
export const SECRET_KEY = 'a/Secret+with=signs'

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
log_level = ERROR
`

const storageServer = (folder: string, port: number, role: string) => `${common(folder, port)}
[pipeline:main]
pipeline = healthcheck ${role}-server

[filter:healthcheck]
use = egg:swift#healthcheck

[app:${role}-server]
use = egg:swift#${role}
`

/** The files of a Swift on one machine that speaks S3 and checks signatures. */
export const filesFor = (folder: string, ports: Ports): Record<string, string> => ({
  'swift.conf': `[swift-hash]
swift_hash_path_suffix = folkmoot
swift_hash_path_prefix = tests

[storage-policy:0]
name = one
default = yes
`,
  'proxy.conf': `${common(folder, ports.proxy)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth copy slo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true

[filter:tempauth]
use = egg:swift#tempauth
user_${ACCESS_KEY.replace(':', '_')} = ${SECRET_KEY} .admin

# Tempauth wants a memcached, and does without what it would remember.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1

[filter:s3api]
use = egg:swift#s3api
location = us-east-1

${['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'copy', 'slo']
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`)
  .join('\n')}`,
  'account.conf': storageServer(folder, ports.account, 'account'),
  'container.conf': storageServer(folder, ports.container, 'container'),
  'object.conf': storageServer(folder, ports.object, 'object'),
})
