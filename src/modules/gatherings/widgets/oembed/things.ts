import { config } from '@/config/config'
import { AppError, isAppError } from '@/core/errors'
import { isId } from '@/core/ids'
import { isOurHost } from '@/core/own-addresses'
import { visibleGroup } from '@/modules/community/groups/visible'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { isWidget, pathOfWidget, readWidgetRequest, type Theme, type Widget } from '../request'

/** Something that can be embedded, and its widget. */
export type Thing = {
  title: string
  author?: { name: string; url: string }
  photoUrl: string | null
  widget: Widget
  path: string
}

/** Hidden and missing things get the same error. */
export async function thingAt(address: string): Promise<Thing> {
  const url = URL.parse(address)
  if (url === null || !isOurs(url)) throw nothing()
  const [, room = '', name = '', more] = url.pathname.replace(/\/$/, '').split('/')
  if (more !== undefined) throw nothing()
  try {
    if (room === 'events') return await eventAt(name, 'auto')
    if (room === 'groups') return await groupAt(name)
    if (room === 'widget' && isWidget(name)) return await widgetAt(name, url.search.slice(1))
  } catch (error) {
    if (!isAppError(error) || error.appCode !== 'not_found') throw error
  }
  throw nothing()
}

const isOurs = ({ protocol, host, username, password }: URL) =>
  (protocol === 'https:' || protocol === 'http:') && isOurHost(host) && username === '' && password === ''

const nothing = () => new AppError('not_found', 'There is nothing at this address that could be embedded')

async function eventAt(id: string, theme: Theme): Promise<Thing> {
  if (!isId(id)) throw nothing()
  const { event, group } = await visibleEvent(null, id.toLowerCase())
  return {
    title: event.title,
    author: authorOf(group),
    photoUrl: event.photoUrl,
    widget: 'next-event',
    path: pathOfWidget({ widget: 'next-event', theme, groups: null, eventId: event.id }),
  }
}

async function groupAt(slug: string): Promise<Thing> {
  if (!/^[\w.-]{1,100}$/.test(slug)) throw nothing()
  const { group } = await visibleGroup(null, slug)
  const groups = [group.urlname.toLowerCase()]
  return {
    title: group.name,
    author: authorOf(group),
    photoUrl: group.photoUrl,
    widget: 'carousel',
    path: pathOfWidget({ widget: 'carousel', theme: 'auto', groups, eventId: null }),
  }
}

function widgetAt(widget: Widget, query: string): Thing | Promise<Thing> {
  const request = readWidgetRequest(widget, query)
  if (request.eventId !== null) return eventAt(request.eventId, request.theme)
  const title = widget === 'carousel' ? 'Upcoming events' : 'Next event'
  return { title, photoUrl: null, widget, path: pathOfWidget(request) }
}

const authorOf = ({ name, urlname }: { name: string; urlname: string }) => ({
  name,
  url: `${config.baseUrl}/groups/${encodeURIComponent(urlname)}`,
})
