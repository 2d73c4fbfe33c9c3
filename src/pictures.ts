import { appPictures } from './modules/access/developer-apps/pictures'
import { groupPictures } from './modules/community/groups/pictures'
import { eventPictures } from './modules/gatherings/events/pictures'
import { designPictures } from './modules/passes/designs/pictures'
import { portfolioPictures } from './modules/people/portfolio/pictures'
import type { PicturePlace } from './modules/people/uploads/uses/queries'
import { userPictures } from './modules/people/users/pictures'

/** Everywhere that an area keeps addresses of pictures. A file that none of these points at is not in use. */
export const picturePlaces: PicturePlace[] = [
  ...userPictures,
  ...portfolioPictures,
  ...groupPictures,
  ...eventPictures,
  ...appPictures,
  ...designPictures,
]
