import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { resource } from '@/mcp/resource'
import { listScopes } from './actions'

const scopeRoutes = new Elysia({ tags: ['Scopes'] }).get('/v1/scopes', ...serve(listScopes))

export const scopesArea = {
  routes: scopeRoutes,
  resources: [
    resource(listScopes, 'folkmoot://scopes', {
      name: 'scopes',
      title: 'Scopes',
      description: 'What a token can be allowed to do.',
    }),
  ],
}
