import type { Mutant } from './mutant'

const TOOLS = 'test/mcp/tools.test.ts'
const HOSTILE = 'test/mcp/hostile.test.ts'
const READING = 'test/mcp/reading.test.ts'

export const mutants: Mutant[] = [
  {
    name: 'tool-around-the-way-in',
    file: 'src/mcp/tool.ts',
    find: 'invoke(entry, action, () => input)',
    replace: 'action.run(entry, input)',
    means: 'An agent may guess codes at the door as fast as it likes.',
    tests: [TOOLS],
  },
  {
    name: 'destroys-unless-denied',
    file: 'src/mcp/tool.ts',
    find: 'return agreed === true\n',
    replace: 'return agreed !== false\n',
    means: 'An agent deletes what nobody agreed to.',
    tests: [TOOLS],
  },
  {
    name: 'preview-for-everyone',
    file: 'src/mcp/tool.ts',
    find: 'if (thrown !== preconditionFailed) return',
    replace: 'if (thrown === undefined) return',
    means: 'An agent learns that it may not do something only after its person has agreed.',
    tests: [TOOLS],
  },
  {
    name: 'values-for-all-versions',
    file: 'src/mcp/tool.ts',
    find: 'isStructured(visit.request) ? structured : plain',
    replace: 'structured',
    means: 'A client of the first version gets every answer twice.',
    tests: [TOOLS],
  },
  {
    name: 'reads-unless-denied',
    file: 'src/core/action.ts',
    find: "definition.reads ?? access.startsWith('read:')",
    replace: 'definition.reads ?? true',
    means: 'An agent is told that it may change things without asking.',
    tests: ['test/house/access.test.ts'],
  },
  {
    name: 'id-in-letters',
    file: 'src/mcp/jsonrpc.ts',
    find: 'const length = Buffer.byteLength(head)',
    replace: 'const { length } = head',
    means: 'An answer to an id outside ASCII is no JSON.',
    tests: [HOSTILE],
  },
  {
    name: 'tool-of-another-action',
    file: 'src/modules/gatherings/rsvps/area.ts',
    find: 'cancelRsvp,\n    {',
    replace: 'readRsvp,\n    {',
    means: 'An agent says that a seat was given up, and it was not.',
    tests: [TOOLS],
  },
  {
    name: 'prompt-for-everyone',
    file: 'src/mcp/methods.ts',
    find: 'if (!one || !offered(visit, one))',
    replace: 'if (!one)',
    means: 'A task is offered that the token cannot do.',
    tests: [READING],
  },
  {
    name: 'no-step-up',
    file: 'src/mcp/methods.ts',
    find: 'throw stepUp(access, visitor.scopes)',
    replace: 'return',
    means: 'An application does not learn what to ask its person for.',
    tests: [READING],
  },
  {
    name: 'step-up-forgets',
    file: 'src/core/errors.ts',
    find: '[...new Set([...held, needed])]',
    replace: '[needed]',
    means: 'An application that is given more loses what it had.',
    tests: [READING],
  },
]
