import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { Success } from '@/core/page'
import { iso, orNull, wireTime } from '@/core/shapes'
import { type Db, db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { findDismissals, findProgress, insertDismissals } from './queries'
import { STEPS } from './steps'

const OnboardingStep = Type.Object(
  {
    key: Type.String(),
    title: Type.String(),
    description: orNull(Type.String({ description: 'What to do.' })),
    completed: Type.Boolean({ description: 'Whether it is done.' }),
    dismissedAt: orNull(wireTime()),
  },
  { $id: 'OnboardingStep' },
)

export const listOnboarding = action({
  name: 'listOnboarding',
  access: 'user',
  reads: true,
  summary: 'List your onboarding steps',
  input: Type.Object({}),
  output: Type.Array(OnboardingStep),
  run: ({ userId }) => stepsOf(db, userId),
})

export const dismissOnboardingStep = action({
  name: 'dismissOnboardingStep',
  access: 'user',
  summary: 'Dismiss an onboarding step',
  input: Type.Object({ stepKey: line(1, 100) }),
  output: OnboardingStep,
  errors: ['not_found'],
  run: ({ userId }, { stepKey }) =>
    transaction(async (tx) => {
      if (!STEPS.some(({ key }) => key === stepKey)) throw notFound('Onboarding step')
      await insertDismissals(tx, userId, [stepKey])
      const steps = await stepsOf(tx, userId)
      return steps.find(({ key }) => key === stepKey) as (typeof steps)[number]
    }),
})

export const dismissOnboarding = action({
  name: 'dismissOnboarding',
  access: 'user',
  summary: 'Dismiss all onboarding steps',
  input: Type.Object({}),
  output: Success,
  run: ({ userId }) =>
    transaction(async (tx) => {
      await insertDismissals(
        tx,
        userId,
        STEPS.map(({ key }) => key),
      )
      return { success: true } as const
    }),
})

async function stepsOf(db: Db | Tx, userId: string) {
  const progress = await findProgress(db, userId)
  const dismissals = await findDismissals(db, userId)
  return STEPS.map(({ key, title, description, isCompleted }) => ({
    key,
    title,
    description,
    completed: isCompleted(progress),
    dismissedAt: iso(dismissals.get(key) ?? null),
  }))
}
