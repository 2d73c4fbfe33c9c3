import { Elysia } from 'elysia'
import { page } from '@/web/page'
import { badgeForms, showBadge } from './badge'
import { badgesForms, showBadges } from './badges'
import { codesForms, showCode, showCodes } from './codes'
import { showDoor } from './door'
import { doorForms } from './door-forms'
import { editEventForms, showEditEvent } from './edit-event'
import { newEventForms, showNewEvent } from './event-fields'
import { showGroup } from './group'
import { eventPath, groupPath, MANAGE } from './group-page'
import { groupSettingsForms, newGroupForms, showGroupSettings, showNewGroup } from './new-group'
import { showOverview } from './overview'
import { sheetsForms, showSheets } from './sheets'
import { showStaff, staffForms } from './staff'

const GROUP = groupPath(':groupId')
const EVENT = eventPath(':groupId', ':eventId')

export const managePages = new Elysia()
  .get(MANAGE, ...page(showOverview))
  .get(`${MANAGE}/groups/new`, ...page(showNewGroup))
  .post(`${MANAGE}/groups/new`, ...newGroupForms)
  .get(GROUP, ...page(showGroup))
  .get(`${GROUP}/settings`, ...page(showGroupSettings))
  .post(`${GROUP}/settings`, ...groupSettingsForms)
  .get(`${GROUP}/staff`, ...page(showStaff))
  .post(`${GROUP}/staff`, ...staffForms)
  .get(`${GROUP}/badges`, ...page(showBadges))
  .post(`${GROUP}/badges`, ...badgesForms)
  .get(`${GROUP}/badges/:badgeId`, ...page(showBadge))
  .post(`${GROUP}/badges/:badgeId`, ...badgeForms)
  .get(`${GROUP}/events/new`, ...page(showNewEvent))
  .post(`${GROUP}/events/new`, ...newEventForms)
  .get(EVENT, ...page(showDoor))
  .post(EVENT, ...doorForms)
  .get(`${EVENT}/edit`, ...page(showEditEvent))
  .post(`${EVENT}/edit`, ...editEventForms)
  .get(`${EVENT}/codes`, ...page(showCodes))
  .post(`${EVENT}/codes`, ...codesForms)
  .get(`${EVENT}/codes/:codeId`, ...page(showCode))
  .get(`${EVENT}/sheets`, ...page(showSheets))
  .post(`${EVENT}/sheets`, ...sheetsForms)
