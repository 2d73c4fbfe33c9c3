import { Elysia } from 'elysia'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readMe } from '@/modules/account/me/actions'
import { readPass } from '@/modules/passes/passes/actions'
import { shownCode } from '@/modules/passes/passes/id'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, page } from '@/web/page'
import { changeAccounts, showAccounts } from './accounts'
import { DELETED, MET, settingsPath, stagePath } from './addresses'
import { changeData, deleteAccount, showData, showDelete, showDeleted } from './data'
import { changeFeeds, showFeeds } from './feeds'
import { changeMail, showMail } from './mail'
import { changeMet, showMet } from './met'
import { changeOverview, showOverview } from './overview'
import { changePasses, showPasses } from './passes'
import { changePortfolio, showPortfolio } from './portfolio'
import { changePreferences, showPreferences } from './preferences'
import { changeProfile, showProfile } from './profile'
import { changeSessions, showSessions } from './sessions'
import { changeTokens, showTokens } from './tokens'

/** A full-screen pass, always dark on light, to show or print. */
async function showStage(visit: Visit, { id = '' }: Params): Promise<Page> {
  const { settings } = wordsFor(visit)
  const pass = await invoke(visit, readPass, () => ({ id }))
  const { name } = await invoke(visit, readMe, () => ({}))
  return {
    title: settings.yourCode,
    islands: ['stage'],
    body: html`<div class="stage">
<h1 dir="auto">${name}</h1>
<img src="/pass/${pass.id}/qr.svg" alt="${settings.codeOf(name)}" width="1000" height="1000">
<p><span class="shown-code">${shownCode(pass.id)}</span><br><span class="small">${settings.holdUp}</span></p>
<p class="buttons"><a class="button plain" href="${settingsPath('passes')}">${settings.close}</a><button class="button plain" type="button" data-print hidden>${settings.print}</button></p>
</div>`,
  }
}

/** The page of connected applications is in the area of grants. */
export const settingsPages = new Elysia()
  .get(settingsPath('overview'), ...page(showOverview))
  .post(settingsPath('overview'), ...changeOverview)
  .get(settingsPath('profile'), ...page(showProfile))
  .post(settingsPath('profile'), ...changeProfile)
  .get(settingsPath('portfolio'), ...page(showPortfolio))
  .post(settingsPath('portfolio'), ...changePortfolio)
  .get(settingsPath('mail'), ...page(showMail))
  .post(settingsPath('mail'), ...changeMail)
  .get(settingsPath('preferences'), ...page(showPreferences))
  .post(settingsPath('preferences'), ...changePreferences)
  .get(settingsPath('accounts'), ...page(showAccounts))
  .post(settingsPath('accounts'), ...changeAccounts)
  .get(settingsPath('sessions'), ...page(showSessions))
  .post(settingsPath('sessions'), ...changeSessions)
  .get(settingsPath('tokens'), ...page(showTokens))
  .post(settingsPath('tokens'), ...changeTokens)
  .get(settingsPath('feeds'), ...page(showFeeds))
  .post(settingsPath('feeds'), ...changeFeeds)
  .get(settingsPath('passes'), ...page(showPasses))
  .post(settingsPath('passes'), ...changePasses)
  .get(MET, ...page(showMet))
  .post(MET, ...changeMet)
  .get(stagePath(':id'), ...page(showStage))
  .get(settingsPath('data'), ...page(showData))
  .post(settingsPath('data'), ...changeData)
  .get(settingsPath('delete'), ...page(showDelete))
  .post(settingsPath('delete'), ...deleteAccount)
  .get(DELETED, ...page(showDeleted))
