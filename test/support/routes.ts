import { app } from '@/app'
import { type Binding, bindingOf } from '@/http/registry'

type Route = { method: string; pattern: string; path: string; binding: Binding | undefined }

/** Every route that is mounted, with a path that can be called. */
export const routes: Route[] = app.routes
  .filter(({ method }) => method !== 'OPTIONS')
  .map(({ method, path, hooks }) => ({
    method,
    pattern: path,
    path: path
      .replace(/:(\w+)/g, (_, name) =>
        /id$/i.test(name) ? '01890000-0000-7000-8000-000000000000' : 'sample',
      )
      .replace(/\*$/, 'sample'),
    binding: bindingOf((hooks as { detail?: { operationId?: string } } | undefined)?.detail?.operationId),
  }))

/** Answers with the bytes of a file, so it has no action, no envelope and no budget. */
export const FILE_ROUTE = '/v1/uploads/file/*'

export const apiRoutes = routes.filter(({ pattern }) => pattern.startsWith('/v1/') && pattern !== FILE_ROUTE)
