import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { dismissOnboarding, dismissOnboardingStep, listOnboarding } from './actions'

const onboardingTools = toolbox({
  onboarding_status: [
    listOnboarding,
    {
      title: 'List first steps',
      description:
        'Lists the first steps of somebody new, and which are done. Use it when the person asks what to do here.',
    },
  ],
  onboarding_dismiss: [
    dismissOnboardingStep,
    {
      title: 'Put a first step away',
      idempotent: true,
      description: 'Hides a first step that the person does not want. Example: {"stepKey":"follow_user"}.',
    },
  ],
})

const onboardingRoutes = new Elysia({ prefix: '/v1/me/onboarding', tags: ['Onboarding'] })
  .get('', ...serve(listOnboarding))
  .post('/dismiss-all', ...serve(dismissOnboarding))
  .post('/:stepKey/dismiss', ...serve(dismissOnboardingStep))

export const onboardingArea = {
  routes: onboardingRoutes,
  tools: onboardingTools,
}
