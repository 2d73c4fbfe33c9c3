import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readPreferences, updatePreferences } from '@/modules/account/preferences/actions'
import { ZONES } from '@/site/parts/fields'
import { choice, line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { LANGUAGES, OWN_NAMES } from '@/words/language'
import { settingsPath } from './addresses'
import { askedOf, deedForm, done } from './parts'

const PATH = settingsPath('preferences')

export async function showPreferences(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const { settings, frame, language: read } = wordsFor(visit)
  const { language, timeZone } = await invoke(visit, readPreferences, () => ({}))
  const isGuessed = timeZone === null && !sent
  return settingsPage(visit, 'preferences', {
    islands: ['suggest'],
    body: html`${summary(sent)}${done(askedOf(visit).has('saved') && settings.saved)}
${deedForm(visit, {
  name: 'save',
  fields: html`${choice(
    {
      name: 'language',
      label: settings.mailLanguage,
      value: language ?? read,
      options: LANGUAGES.map((one) => ({ value: one, label: OWN_NAMES[one] })),
    },
    sent,
  )}
${line(
  {
    name: 'timeZone',
    label: settings.zone,
    hint: settings.zoneHint,
    value: timeZone,
    attributes: html` maxlength="64"${isGuessed && html` data-own-zone="guessed"`} list="zones" autocomplete="off" spellcheck="false"`,
  },
  sent,
)}<p class="hint small" id="guessed" hidden>${settings.zoneGuessed}</p>${ZONES}
`,
  button: frame.save,
})}`,
  })
}

export const changePreferences = forms({
  save: deed(updatePreferences, {
    fields: ({ settings }) => ({ language: settings.mailLanguage, timeZone: settings.zone }),
    page: showPreferences,
    done: () => `${PATH}?saved`,
  }),
})
