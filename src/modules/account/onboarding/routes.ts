import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { dismissOnboarding, dismissOnboardingStep, listOnboarding } from './actions'

export const onboardingRoutes = new Elysia({ prefix: '/v1/me/onboarding', tags: ['Onboarding'] })
  .get('', ...serve(listOnboarding))
  .post('/dismiss-all', ...serve(dismissOnboarding))
  .post('/:stepKey/dismiss', ...serve(dismissOnboardingStep))
