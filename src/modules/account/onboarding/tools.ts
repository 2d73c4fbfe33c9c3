import { toolbox } from '@/mcp/tool'
import { dismissOnboardingStep, listOnboarding } from './actions'

export const onboardingTools = toolbox({
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
