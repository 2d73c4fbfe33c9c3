import { notFound } from '@/core/errors'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { updateGroup } from '@/modules/community/groups/manage/actions'
import { takePicture } from '@/site/parts/take-picture'
import type { Answer, Params } from '@/web/page'
import { demandManager, groupContext } from './group-page'
import { showGroupSettings } from './group-settings'
import { groupPath } from './paths'

const SAID = { shown: '?done=saved', checking: '?done=checking' }

const OF_GROUPS = {
  photo: { category: 'group-photo', field: 'photoUrl' },
  hero: { category: 'hero', field: 'heroImageUrl' },
} as const

const isOfGroups = (kind: string): kind is keyof typeof OF_GROUPS => Object.hasOwn(OF_GROUPS, kind)

export async function sendGroupPicture(visit: Visit, { kind = '', ...params }: Params): Promise<Answer> {
  if (!isOfGroups(kind)) throw notFound('Page')
  const { category, field } = OF_GROUPS[kind]
  return takePicture(visit, {
    category,
    path: `${groupPath(params.groupId as string)}/settings`,
    ...SAID,
    mayChange: async () => demandManager(await groupContext(visit, params)),
    use: (publicUrl) => invoke(visit, updateGroup, () => ({ ...params, [field]: publicUrl })),
    again: (problem) => showGroupSettings(visit, params, undefined, problem),
  })
}
