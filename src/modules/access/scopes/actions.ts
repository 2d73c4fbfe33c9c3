import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { pageOf, wholePage } from '@/core/page'
import { describeScope, impliedBy, SCOPE_NAMES } from '@/core/scopes'
import { Scope } from './schema'

const everyScope = wholePage(
  SCOPE_NAMES.map((name) => ({ name, description: describeScope(name), implies: [...impliedBy(name)] })),
)

export const listScopes = action({
  name: 'listScopes',
  access: 'public',
  reads: true,
  summary: 'List the scopes that a token can have',
  input: Type.Object({}),
  output: pageOf(Scope),
  stable: true,
  run: () => everyScope,
})
