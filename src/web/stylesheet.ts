import { config } from '@/config/config'
import { accentStyle } from './accent'
import { squeezed } from './inline'
import base from './styles/base.css' with { type: 'text' }
import colours from './styles/colours.css' with { type: 'text' }
import events from './styles/events.css' with { type: 'text' }
import frame from './styles/frame.css' with { type: 'text' }
import groups from './styles/groups.css' with { type: 'text' }
import home from './styles/home.css' with { type: 'text' }
import manage from './styles/manage.css' with { type: 'text' }
import parts from './styles/parts.css' with { type: 'text' }
import people from './styles/people.css' with { type: 'text' }
import recognition from './styles/recognition.css' with { type: 'text' }
import settings from './styles/settings.css' with { type: 'text' }
import themes from './styles/themes.css' with { type: 'text' }

/** The one stylesheet of every page. The accent of the site gives way to that of a page. */
export const stylesheet = squeezed(
  [
    colours,
    accentStyle(config.site.accent),
    themes,
    base,
    frame,
    parts,
    home,
    events,
    groups,
    people,
    recognition,
    settings,
    manage,
  ].join('\n'),
)
