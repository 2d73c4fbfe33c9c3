import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { dismissOnboarding, dismissOnboardingStep, listOnboarding } from './actions'

export const onboardingRoutes = new Elysia({ prefix: '/v1/me/onboarding', tags: ['Onboarding'] })
  .use(front)
  .get('', ...serve(listOnboarding))
  .post('/dismiss-all', ...serve(dismissOnboarding))
  .post('/:stepKey/dismiss', ...serve(dismissOnboardingStep))
