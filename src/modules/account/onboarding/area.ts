import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { dismissOnboarding, dismissOnboardingStep, listOnboarding } from './actions'

const onboardingTools = toolbox({
  onboarding_status: [
    listOnboarding,
    {
      title: 'List onboarding steps',
      description:
        'Lists the onboarding steps of a new member and which are done. Use it when the person asks what to do here.',
    },
  ],
  onboarding_dismiss: [
    dismissOnboardingStep,
    {
      title: 'Dismiss an onboarding step',
      idempotent: true,
      description:
        'Dismisses an onboarding step that the person does not want. Example: {"stepKey":"follow_user"}.',
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
