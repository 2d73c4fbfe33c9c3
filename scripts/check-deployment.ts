import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNTIME_OPTIONS } from '../src/lifecycle/runtime'

// Checks Dockerfile, compose.yaml, .env.example and the units of deploy/ without a container engine. Built-in modules only.

type Problems = Generator<string>
type Service = {
  image?: string
  build?: unknown
  pull_policy?: string
  restart?: string
  healthcheck?: { test?: unknown; disable?: boolean }
  depends_on?: string[] | Record<string, { condition?: string }>
  environment?: string[] | Record<string, unknown>
  ports?: unknown[]
  volumes?: unknown[]
  env_file?: string
}
type Instruction = { name: string; rest: string }

const root = join(import.meta.dir, '..')
const runtimeOptions = Object.entries(RUNTIME_OPTIONS).map(([name, value]) => `${name}=${value}`)
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const known = await knownVariables()
const missing = ['Dockerfile', '.dockerignore', 'compose.yaml', '.env.example'].filter(
  (name) => !existsSync(join(root, name)),
)
const problems =
  missing.length > 0
    ? missing.map((name) => `${name}: there is no such file`)
    : [
        ...checkCompose(read('compose.yaml')),
        ...checkDockerfile(read('Dockerfile')),
        ...checkExample(),
        ...checkUnits(),
        ...checkEnvironmentFile(),
      ]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log('Dockerfile, compose.yaml, .env.example and deploy/ are in order.')

/** Ignores the shell's environment and .env files. */
async function knownVariables(): Promise<Set<string>> {
  process.env = { FOLKMOOT_MODE: 'test' }
  const { variableNames } = await import('../src/config/config')
  return new Set(variableNames())
}

function* checkCompose(text: string): Problems {
  const services = parsedServices(text)
  if (typeof services === 'string') return yield `compose.yaml: ${services}`
  for (const [name, service] of Object.entries(services))
    for (const problem of checkService(service, services)) yield `compose.yaml: ${name} ${problem}`
  for (const problem of checkSecrets(text)) yield `compose.yaml: ${problem}`

  const { api, worker } = services
  if (!api || !worker) return yield 'compose.yaml: the services api and worker are both needed'
  if (api.image !== worker.image) yield 'compose.yaml: api and worker must have the same image'
  for (const problem of checkBuild(services)) yield `compose.yaml: ${problem}`
  if (variablesOf(api).get('WORKER') !== 'none')
    yield 'compose.yaml: api must have WORKER=none beside a separate worker'
}

/** One service builds our image and the others depend on it: each that built would create its own under the same name. */
function* checkBuild(services: Record<string, Service>): Problems {
  const [builder, ...more] = Object.keys(services).filter((name) => services[name]?.build)
  if (!builder || more.length > 0) return yield 'exactly one service must have a build'
  for (const [name, service] of Object.entries(services)) {
    if (!isOurs(service, services)) continue
    if (service.pull_policy !== 'never')
      yield `${name} needs pull_policy: never, since no registry has its image`
    if (name !== builder && !dependenciesOf(service).some(([other]) => other === builder))
      yield `${name} must depend on ${builder}, which makes its image`
  }
}

/** Whether it runs the image that is built here. */
function isOurs({ image }: Service, services: Record<string, Service>): boolean {
  return Object.values(services).some((other) => other.build && other.image === image)
}

function parsedServices(text: string): Record<string, Service> | string {
  try {
    const { services } = Bun.YAML.parse(text) as { services?: Record<string, Service> }
    return services ?? 'there are no services'
  } catch (error) {
    return `this is not YAML (${(error as Error).message})`
  }
}

function* checkService(service: Service, services: Record<string, Service>): Problems {
  if (!service.restart || (service.restart === 'no' && !isAwaited(service, services)))
    yield 'has no restart policy'
  if (!isTagged(service.image ?? '')) yield 'needs an image with a tag other than latest'
  const dependencies = dependenciesOf(service)
  if (!hasHealthcheck(service) && dependencies.length === 0)
    yield 'has neither a health check nor a depends_on with conditions'
  for (const [name, condition] of dependencies) {
    const other = services[name]
    if (!other) yield `depends on ${name}, which is not there`
    else if (condition === undefined) yield `depends on ${name} without a condition`
    else if (condition === 'service_completed_successfully' && other.restart !== 'no')
      yield `waits for ${name} to end, which is restarted when it does`
    else if (condition === 'service_healthy' && !hasHealthcheck(other) && !isOurs(other, services))
      yield `waits for ${name} to be healthy, which has no health check`
  }
  for (const [source] of (service.volumes ?? []).map((volume) => String(volume).split(':')))
    if (source?.startsWith('./') && !existsSync(join(root, source)))
      yield `mounts ${source}, which is not there`
  for (const port of service.ports ?? [])
    if (!String(port).startsWith('127.0.0.1:')) yield `publishes ${port} beyond 127.0.0.1`
  if (isOurs(service, services))
    for (const name of variablesOf(service).keys())
      if (!known.has(name)) yield `sets ${name}, which src/config/config.ts does not read`
}

/** Whether others depend on its successful completion, so that it runs once and needs no restart policy. */
function isAwaited(service: Service, services: Record<string, Service>): boolean {
  return Object.values(services)
    .flatMap(dependenciesOf)
    .some(([name, condition]) => services[name] === service && condition === 'service_completed_successfully')
}

function isTagged(image: string): boolean {
  return image.includes('@sha256:') || /^\S+:(?!latest$)[\w.-]+$/.test(image)
}

function hasHealthcheck({ healthcheck }: Service): boolean {
  return healthcheck?.test !== undefined && healthcheck.disable !== true
}

function dependenciesOf({ depends_on = {} }: Service): [string, string | undefined][] {
  return Array.isArray(depends_on)
    ? depends_on.map((name) => [name, undefined])
    : Object.entries(depends_on).map(([name, { condition }]) => [name, condition])
}

function variablesOf({ environment = {} }: Service): Map<string, string> {
  if (!Array.isArray(environment))
    return new Map(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  return new Map(environment.map((line) => [line.split('=')[0] as string, line.slice(line.indexOf('=') + 1)]))
}

/** Checks every line, including comments, commands and labels. */
function* checkSecrets(text: string): Problems {
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.replace(/\$\{\w+(:?\?[^}]*)?\}/g, '$')
    const values = [
      /\w*(?:PASSWORD|SECRET|TOKEN|_KEY)\w*['"]?\s*[:=]\s*['"]?([^\s'"]+)/.exec(line)?.[1],
      /:\/\/[^\s:@/]*:([^\s@]*)@/.exec(line)?.[1],
      /--(?:requirepass|password)[\s,='"]+([^\s,'"\]]+)/.exec(line)?.[1],
    ]
    if (values.some((value) => value !== undefined && value !== '$'))
      yield `line ${index + 1} holds a secret: take it from .env, as in \${NAME:?say what to set}`
  }
}

function* checkDockerfile(text: string): Problems {
  for (const problem of checkInstructions(instructionsOf(text))) yield `Dockerfile: ${problem}`
}

function* checkInstructions(instructions: Instruction[]): Problems {
  const stages = new Set<string>()
  for (const { rest } of instructions.filter(({ name }) => name === 'FROM')) {
    const [, base = '', stage] = /^(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? []
    if (!stages.has(base) && !/:\d+\.\d+\.\d+[\w.-]*$|@sha256:/.test(base))
      yield `the base ${base || rest} is not pinned to a full version`
    if (stage) stages.add(stage)
  }
  for (const { name, rest } of instructions)
    if ((name === 'CMD' || name === 'ENTRYPOINT') && !isExecForm(rest))
      yield `${name} must be in exec form, or signals do not reach the server`
  for (const source of instructions.flatMap(copySources)) {
    if (!existsSync(join(root, source))) yield `COPY ${source}: there is no such file`
    else if (!isSentToBuilder(source)) yield `COPY ${source}: .dockerignore keeps it out`
  }
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
  const final = (wanted: string) => last.findLast(({ name }) => name === wanted)?.rest
  if (/^(root|0)?(:|$)/.test(final('USER') ?? '')) yield 'the image runs as root: set USER in the last stage'
  if (/^(NONE)?$/i.test(final('HEALTHCHECK') ?? '')) yield 'the last stage has no HEALTHCHECK'
  for (const option of runtimeOptions)
    if (!last.some(({ name, rest }) => name === 'ENV' && rest.split(' ').includes(option)))
      yield `the last stage does not set ${option}, so every start begins twice`
  if (final('CMD') === undefined) yield 'the last stage has no CMD'
}

/** One entry per instruction, without comments and with continued lines joined. */
function instructionsOf(text: string): Instruction[] {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\[ \t]*\n/g, '')
    .split('\n')
    .map((line) => /^\s*(\w+)\s+(.*?)\s*$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name = '', rest = '']) => ({ name: name.toUpperCase(), rest }))
}

function isExecForm(rest: string): boolean {
  try {
    const parts: unknown = JSON.parse(rest)
    return Array.isArray(parts) && parts.length > 0 && parts.every((part) => typeof part === 'string')
  } catch {
    return false
  }
}

function copySources({ name, rest }: Instruction): string[] {
  if ((name !== 'COPY' && name !== 'ADD') || /(^|\s)--from=/.test(rest)) return []
  return rest
    .split(/\s+/)
    .filter((part) => !part.startsWith('--'))
    .slice(0, -1)
}

/** Our .dockerignore excludes everything and then includes single names. */
function isSentToBuilder(source: string): boolean {
  const lines = read('.dockerignore').split('\n')
  return !lines.includes('*') || lines.includes(`!${source.split('/')[0]}`)
}

function* checkExample(): Problems {
  const lines = read('.env.example').split('\n')
  const names = new Set<string>()
  for (const [index, line] of lines.entries()) {
    const name = /^(?:# )?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1]
    if (!name) continue
    names.add(name)
    if (!/^# .*Default: ./.test(lines[index - 1] ?? ''))
      yield `.env.example: the line above ${name} must say what it does and its default`
  }
  const asked = new Set(
    [...read('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map((match) => match[1] as string),
  )
  for (const name of known.union(asked)) if (!names.has(name)) yield `.env.example: ${name} is missing`
  for (const name of names)
    if (!known.has(name) && !asked.has(name)) yield `.env.example: nothing reads ${name}`
}

/** Every unit runs an existing file with the shared settings and the same sandboxing. */
function* checkUnits(): Problems {
  const units = readdirSync(join(root, 'deploy')).filter((name) => name.endsWith('.service'))
  const hardening = (text: string) => /\n# What it may not do\.[\s\S]*?(?=\n\n|$)/.exec(text)?.[0].trim()
  const first = hardening(read('deploy/folkmoot.service'))
  if (!first) yield 'deploy/folkmoot.service: there is no list of what it may not do'
  for (const name of units) {
    const text = read(`deploy/${name}`)
    if (hardening(text) !== first) yield `deploy/${name}: it may do other things than folkmoot.service`
    if (!text.includes('\nEnvironmentFile=/etc/folkmoot/folkmoot.env\n'))
      yield `deploy/${name}: it does not read /etc/folkmoot/folkmoot.env`
    const [, script = ''] = /\nExecStart=\/usr\/local\/bin\/bun (\S+)/.exec(text) ?? []
    if (!script || !existsSync(join(root, script))) yield `deploy/${name}: ExecStart runs no file of ours`
    const isLasting = text.includes('\nRestart=always\n')
    for (const option of isLasting ? runtimeOptions : [])
      if (!new RegExp(`^Environment=(.* )?${option}( |$)`, 'm').test(text))
        yield `deploy/${name}: it does not set ${option}, so every start begins twice`
    for (const [, variable = ''] of text.matchAll(/^Environment=.*?\b([A-Z][A-Z0-9_]+)=/gm))
      if (!known.has(variable)) yield `deploy/${name}: nothing reads ${variable}`
  }
}

/** systemd and Bun must parse the same values: no quotes, no `$`, nothing after a value. */
function* checkEnvironmentFile(): Problems {
  for (const [index, line] of read('deploy/folkmoot.env').split('\n').entries()) {
    const [, name, value = ''] = /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name === undefined) {
      if (line !== '' && !line.startsWith('#'))
        yield `deploy/folkmoot.env: line ${index + 1} is neither a setting nor a comment`
    } else if (!known.has(name)) yield `deploy/folkmoot.env: nothing reads ${name}`
    else if (/["'$`\\#\s]/.test(value)) yield `deploy/folkmoot.env: ${name} is read in two ways`
  }
}
