import { notFound } from '@/core/errors'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { updateProfile } from '@/modules/account/me/actions'
import { takePicture } from '@/site/parts/take-picture'
import type { Answer, Params } from '@/web/page'
import { settingsPath } from './addresses'
import { showProfile } from './profile'

const FIELDS = { avatar: 'avatarUrl', hero: 'heroImageUrl' } as const

const isPicture = (kind: string): kind is keyof typeof FIELDS => Object.hasOwn(FIELDS, kind)

/** Takes a picture from the form of the profile and shows it there. */
export async function sendPicture(visit: Visit, { kind = '' }: Params): Promise<Answer> {
  if (!isPicture(kind)) throw notFound('Page')
  return takePicture(visit, {
    category: kind,
    path: settingsPath('profile'),
    shown: '?pictured',
    checking: '?checking',
    use: (publicUrl) => invoke(visit, updateProfile, () => ({ [FIELDS[kind]]: publicUrl })),
    again: (problem) => showProfile(visit, {}, undefined, problem),
  })
}
