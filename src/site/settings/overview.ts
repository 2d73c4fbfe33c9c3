import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readProfile } from '@/modules/account/me/actions'
import {
  dismissOnboarding,
  dismissOnboardingStep,
  listOnboarding,
} from '@/modules/account/onboarding/actions'
import { face } from '@/site/parts/person'
import { stepPath } from '@/site/parts/step-path'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { PAGES, settingsPath } from './addresses'
import { dayIn, deedForm } from './parts'

const PATH = settingsPath('overview')

type Behind = keyof Words['settings']['about']

const BEHIND = PAGES.filter((page): page is Behind => page !== 'overview')

export async function showOverview(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const me = await invoke(visit, readProfile, () => ({}))
  const steps = await invoke(visit, listOnboarding, () => ({}))
  return settingsPage(visit, 'overview', {
    body: html`${summary(sent)}<section class="card" aria-label="${settings.pages.profile}">
<div class="me">
${face(me, 'large')}
<div><h2 class="first" dir="auto">${me.name}</h2>
<p class="quiet">${me.username ? html`@${me.username}` : settings.noUsername}${me.email && html`<br>${me.email}`}<br>${settings.memberSince} ${dayIn(words, me.createdAt)}</p>
${
  me.username
    ? html`<a class="button plain small" href="/u/${me.username}">${settings.seeProfile}</a>`
    : html`<a class="button small" href="${settingsPath('profile')}">${settings.username}</a>`
}</div>
</div>
</section>
${checklist(visit, steps, words)}<ul class="rows behind" role="list">
${BEHIND.map(
  (page) => html`<li><div class="what"><h2><a href="${settingsPath(page)}">${settings.pages[page]}</a></h2>
<p class="quiet">${settings.about[page]}</p></div></li>\n`,
)}</ul>`,
  })
}

type Step = {
  key: string
  title: string
  description: string | null
  completed: boolean
  dismissedAt: string | null
}

/** The remaining onboarding steps. */
function checklist(visit: Visit, steps: Step[], { settings }: Words): Html | false {
  const open = steps.filter(({ dismissedAt }) => dismissedAt === null)
  if (open.every(({ completed }) => completed)) return false
  const taken = steps.filter(({ completed }) => completed).length
  return html`<section class="card" aria-labelledby="steps">
<div class="head"><h2 id="steps">${settings.firstSteps}</h2><p class="quiet small">${settings.stepsTaken(taken, steps.length)}</p></div>
<ul class="steps" role="list">
${open.map((step) => {
  const { title, description } = settings.steps[step.key] ?? step
  return html`<li${step.completed && html` class="done"`}><span class="tickmark" aria-hidden="true">${step.completed && '✓'}</span>
<div class="what"><p>${
    step.completed
      ? html`<span class="hidden">${settings.stepDone}: </span>${title}`
      : html`<a href="${stepPath(step.key)}">${title}</a>`
  }</p><p class="small quiet">${description}</p></div>
${
  !step.completed &&
  deedForm(visit, {
    name: 'dismiss',
    hidden: { stepKey: step.key },
    button: settings.dismiss,
    kind: 'link',
    about: settings.dismissStep(title),
  })
}</li>\n`
})}</ul>
${deedForm(visit, { name: 'dismiss-all', button: settings.dismissAll, kind: 'link' })}
</section>\n`
}

export const changeOverview = forms({
  dismiss: deed(dismissOnboardingStep, { fields: { stepKey: null }, page: showOverview, done: () => PATH }),
  'dismiss-all': deed(dismissOnboarding, { fields: {}, page: showOverview, done: () => PATH }),
})
