import { Elysia } from 'elysia'
import { page } from '@/web/page'
import { changeAccounts, showAccounts } from './accounts'
import { DELETED, MET, PICTURES, settingsPath, stagePath } from './addresses'
import { changeData, showData } from './data'
import { deleteAccount, showDelete, showDeleted } from './delete'
import { changeFeeds, showFeeds } from './feeds'
import { changeMail, showMail } from './mail'
import { changeMet, showMet } from './met'
import { changeOverview, showOverview } from './overview'
import { changePasses, showPasses } from './passes'
import { changePortfolio, showPortfolio } from './portfolio'
import { changeProfile, showProfile } from './profile'
import { sendPicture } from './send-picture'
import { changeSessions, showSessions } from './sessions'
import { showStage } from './stage'
import { changeTokens, showTokens } from './tokens'

/** What people change about themselves. The page of connected applications is where grants are. */
export const settingsPages = new Elysia()
  .get(settingsPath('overview'), ...page(showOverview))
  .post(settingsPath('overview'), ...changeOverview)
  .get(settingsPath('profile'), ...page(showProfile))
  .post(settingsPath('profile'), ...changeProfile)
  .post(`${PICTURES}/:kind`, ...page(sendPicture))
  .get(settingsPath('portfolio'), ...page(showPortfolio))
  .post(settingsPath('portfolio'), ...changePortfolio)
  .get(settingsPath('mail'), ...page(showMail))
  .post(settingsPath('mail'), ...changeMail)
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
