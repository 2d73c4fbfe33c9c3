import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { action } from '@/core/action'
import { pageOf, wholePage } from '@/core/page'
import { describeScope, impliedBy, SCOPE_NAMES } from '@/core/scopes'
import { serve } from '@/http/serve'
import { resource } from '@/mcp/resource'

const Scope = Type.Object(
  {
    name: Type.String({ description: 'Name of the scope.' }),
    description: Type.String({ description: 'What it allows.' }),
    implies: Type.Array(Type.String(), { description: 'Scopes that it includes.' }),
  },
  { $id: 'Scope' },
)

const everyScope = wholePage(
  SCOPE_NAMES.map((name) => ({ name, description: describeScope(name), implies: [...impliedBy(name)] })),
)

const listScopes = action({
  name: 'listScopes',
  access: 'public',
  reads: true,
  summary: 'List scopes',
  input: Type.Object({}),
  output: pageOf(Scope),
  stable: true,
  run: () => everyScope,
})

const scopeRoutes = new Elysia({ tags: ['Scopes'] }).get('/v1/scopes', ...serve(listScopes))

export const scopesArea = {
  routes: scopeRoutes,
  resources: [
    resource(listScopes, 'folkmoot://scopes', {
      name: 'scopes',
      title: 'Scopes',
      description: 'Scopes of tokens.',
    }),
  ],
}
