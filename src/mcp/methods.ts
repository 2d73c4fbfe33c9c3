import { mayAsk } from '@/core/caller'
import { isAppError, stepUp } from '@/core/errors'
import { isScope } from '@/core/scopes'
import { lettersBetween, listed } from '@/core/text'
import { VERSION } from '@/core/version'
import { refusalFor } from '@/http/refuse'
import type { Visit } from '@/http/visit'
import { CAPABILITIES, instructionsFor, isStructured, versionFor } from './instructions'
import { type Call, FAULTS, Fault, failed, type Reply, succeeded } from './jsonrpc'
import { messagesOf, type Prompt, toolsOf } from './prompts'
import type { Resource } from './resource'
import { refusedTool, type Tool } from './tool'

type Params = Record<string, unknown>
type Method = (visit: Visit, params: Params) => object | Promise<object>

export type Offer = {
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
}

export function methodsOver({ tools, resources, prompts }: Offer) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  // Only hides tools: the action decides when called.
  const mayUse = (visit: Visit, { action }: { action: Tool['action'] }) => mayAsk(visit, action.access)
  const offered = (visit: Visit, one: Prompt) => toolsOf(one, tools).every((tool) => mayUse(visit, tool))

  const methods: Record<string, Method> = {
    initialize: ({ visitor }, { protocolVersion }) => ({
      protocolVersion: versionFor(protocolVersion),
      capabilities: Object.fromEntries(
        Object.entries(CAPABILITIES)
          .filter(([, isThere]) => isThere)
          .map(([name]) => [name, {}]),
      ),
      serverInfo: { name: 'folkmoot', title: 'Folkmoot', version: VERSION },
      instructions: instructionsFor(visitor),
    }),
    ping: () => ({}),
    'tools/list': (visit) => {
      const structured = isStructured(visit.request)
      return { tools: tools.filter((tool) => mayUse(visit, tool)).map((tool) => tool.listed(structured)) }
    },
    'tools/call': (visit, { name, arguments: input = {} }) => {
      const called = byName.get(name as string)
      if (!called) throw noSuchTool(tools, name)
      if (!isRecord(input)) throw new Fault(FAULTS.params)
      demandMore(visit, called)
      return called.call(visit, input)
    },
    'resources/list': (visit) => ({
      resources: resources
        .filter((one) => !one.isTemplate && mayUse(visit, one))
        .map(({ uri, ...words }) => ({ uri, ...described(words) })),
    }),
    'resources/templates/list': (visit) => ({
      resourceTemplates: resources
        .filter((one) => one.isTemplate && mayUse(visit, one))
        .map(({ uri, ...words }) => ({ uriTemplate: uri, ...described(words) })),
    }),
    'resources/read': async (visit, { uri }) => {
      if (typeof uri !== 'string') throw new Fault(FAULTS.uri)
      for (const one of resources) {
        const input = one.inputOf(uri)
        if (input === null) continue
        demandMore(visit, one)
        const text = await one.read(visit, input).catch((thrown) => {
          throw faultOf(visit, thrown)
        })
        return { contents: [{ uri, mimeType: JSON_TYPE, text }] }
      }
      throw new Fault(FAULTS.resource)
    },
    'prompts/list': (visit) => ({
      prompts: prompts
        .filter((one) => offered(visit, one))
        .map(({ name, title, description, arguments: takes }) => ({
          name,
          title,
          description,
          arguments: takes,
        })),
    }),
    'prompts/get': (visit, { name, arguments: given = {} }) => {
      const one = prompts.find((prompt) => prompt.name === name)
      if (!one || !offered(visit, one)) throw new Fault(FAULTS.prompt)
      const texts = isRecord(given) ? given : {}
      for (const { name, required } of one.arguments) {
        const text = texts[name]
        if ((required && text === undefined) || (text !== undefined && !isShort(text)))
          throw new Fault({
            ...FAULTS.prompt,
            message: `The prompt needs ${name} as a text of at most 500 characters`,
          })
      }
      return { description: one.description, messages: messagesOf(one, texts as Record<string, string>) }
    },
  }

  /** Answers a call; a notification has no id and gets no answer. */
  return async function perform(
    visit: Visit,
    { method, params, id }: Call,
    isBatch: boolean,
  ): Promise<Reply | undefined> {
    if (id === undefined) return undefined
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run) return failed(id, FAULTS.method)
    try {
      return succeeded(id, await run(visit, isRecord(params) ? params : {}))
    } catch (thrown) {
      if (thrown instanceof Fault) return failed(id, thrown.fault)
      // Replies in a batch have no status.
      if (isBatch && isAppError(thrown)) return succeeded(id, refusedTool(thrown))
      throw thrown
    }
  }
}

/** Suggests tools by edit distance, or else those for the same kind of object. */
function noSuchTool(tools: readonly Tool[], asked: unknown): Fault {
  const typed = typeof asked === 'string' ? asked : ''
  const slips = tools.filter(({ name }) => lettersBetween(name, typed) <= 2)
  const thing = `${typed.split('_')[0]}_`
  const near = slips.length > 0 ? slips : tools.filter(({ name }) => name.startsWith(thing))
  const hint =
    near.length > 0
      ? `did you mean ${listed(near.map(({ name }) => name))}?`
      : 'see tools/list for those that exist'
  return new Fault({ ...FAULTS.params, message: `There is no such tool: ${hint}` })
}

/** Tells an application which scope to request, because its person can grant more. Everyone else gets the error in the reply. */
function demandMore(visit: Visit, { action: { access } }: { action: Tool['action'] }): void {
  const { visitor } = visit
  if (typeof visitor === 'string' || visitor.credential.kind !== 'oauth') return
  if (isScope(access) && !mayAsk(visit, access)) throw stepUp(access, visitor.scopes)
}

const JSON_TYPE = 'application/json'
const TEXT_MAX = 500

const isShort = (text: unknown) => typeof text === 'string' && text.length <= TEXT_MAX

const described = ({ name, title, description }: Omit<Resource, 'uri'>) => ({
  name,
  title,
  description,
  mimeType: JSON_TYPE,
})

/** Maps an action's error to a JSON-RPC code. Missing and hidden objects look alike. */
function faultOf(visit: Visit, thrown: unknown): unknown {
  const error = refusalFor(visit, thrown)
  if (!isAppError(error)) return error
  if (error.appCode === 'not_found' || error.appCode === 'validation_error') return new Fault(FAULTS.resource)
  const code = error.status >= 500 ? FAULTS.internal.code : FAULTS.params.code
  return new Fault({ code, message: error.message })
}

const isRecord = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
