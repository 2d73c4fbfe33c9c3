import { Elysia } from 'elysia'
import type { Tx } from '@/db/client'
import { serve } from '@/http/serve'
import { languageOf, saysLanguage } from '@/web/language'
import { readPreferences, updatePreferences } from './actions'
import { fillLanguage } from './queries'

/** The browser of the first sign-in sets the language of mail. */
async function learnLanguage(tx: Tx, userId: string, request: Request): Promise<void> {
  if (saysLanguage(request)) await fillLanguage(tx, userId, languageOf(request))
}

const preferenceRoutes = new Elysia({ prefix: '/v1/profile/preferences', tags: ['User'] })
  .get('', ...serve(readPreferences))
  .patch('', ...serve(updatePreferences))

export const preferencesArea = {
  routes: preferenceRoutes,
  signInHooks: [learnLanguage],
}
