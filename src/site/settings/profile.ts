import { THEME_COLORS } from '@/config/accent'
import { config } from '@/config/config'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readProfile, updateProfile } from '@/modules/account/me/actions'
import type { UserProfile } from '@/modules/account/me/schema'
import { pictureField, withPictures } from '@/site/parts/with-picture'
import { area, line, radio, summary, tick } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { settingsPath } from './addresses'
import { askedOf, done } from './parts'

const PATH = settingsPath('profile')
const LINKS_MAX = 5

/** Pictures come last: when the session has ended, only the texts before the first file are kept. */
export async function showProfile(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const me = await invoke(visit, readProfile, () => ({}))
  const asked = askedOf(visit)
  return settingsPage(visit, 'profile', {
    body: html`${summary(sent)}${done(asked.has('saved') && settings.saved)}
<form method="post" action="?do=save" enctype="multipart/form-data">
${formToken(signedIn(visit))}
${line({ name: 'name', label: settings.name, value: me.name, attributes: html` required maxlength="100" dir="auto" autocomplete="name"` }, sent)}
${line(
  {
    name: 'username',
    label: settings.username,
    hint: settings.usernameHint(`${config.baseUrl}/u/${me.username ?? '…'}`),
    value: me.username,
    attributes: html` minlength="3" maxlength="31" pattern="@?[A-Za-z0-9]([A-Za-z0-9\\-]*[A-Za-z0-9])?" autocapitalize="none" spellcheck="false" autocomplete="username"`,
  },
  sent,
)}
${area({ name: 'bio', label: settings.bio, hint: settings.bioHint, value: me.bio, attributes: html` maxlength="500"` }, sent)}
${line({ name: 'location', label: settings.location, value: me.location, attributes: html` maxlength="100" dir="auto"` }, sent)}
${links(me, words, sent)}
${colours(me, words, sent)}
${radio(
  {
    name: 'profileVisibility',
    label: settings.visibility,
    value: me.profileVisibility,
    options: [
      { value: 'public', label: settings.visible, hint: settings.visibleHint },
      { value: 'private', label: settings.private, hint: settings.privateHint },
    ],
  },
  sent,
)}
${tick({ name: 'showOnLeaderboard', label: settings.onLeaderboard, checked: me.showOnLeaderboard !== false }, sent)}
${pictureField({ name: 'avatarUrl', label: settings.picture, saved: me.avatarUrl, isFace: true }, words, sent)}
${pictureField({ name: 'heroImageUrl', label: settings.hero, saved: me.heroImageUrl }, words, sent)}
<button class="button wide">${settings.saveProfile}</button>
</form>`,
  })
}

function links({ socialLinks }: UserProfile, { settings }: Words, sent: Sent | undefined): Html {
  const held = sent ? sent.values.getAll('socialLinks') : (socialLinks ?? [])
  const isWrong = sent?.problem.field === 'socialLinks'
  return html`<fieldset class="choice links"><legend>${settings.links}</legend>
<p class="hint small quiet" id="links-hint">${settings.linksHint}</p>
${Array.from({ length: LINKS_MAX }, (_, place) => {
  const id = place === 0 ? 'socialLinks' : `socialLinks-${place + 1}`
  return html`<label class="hidden" for="${id}">${settings.link(place + 1)}</label><input id="${id}" name="socialLinks" type="url" placeholder="https://" maxlength="2048" value="${held[place]}"${isWrong && html` aria-invalid="true"`} aria-describedby="links-hint">\n`
})}</fieldset>`
}

const colours = ({ themeColor }: UserProfile, { settings }: Words, sent: Sent | undefined): Html => {
  const chosen = (sent ? sent.values.get('themeColor') : themeColor) ?? ''
  return html`<fieldset class="choice"><legend>${settings.colour}</legend>
<div class="swatches">
${['', ...THEME_COLORS].map(
  (colour) =>
    html`<label class="tick"><input type="radio" name="themeColor" value="${colour}"${colour === chosen && html` checked`}><span class="colour ${colour}" aria-hidden="true"></span><span>${colour === '' ? settings.noColour : settings.colours[colour]}</span></label>\n`,
)}</div></fieldset>`
}

export const changeProfile = forms({
  save: deed(updateProfile, {
    fields: ({ settings }) => ({
      avatarUrl: settings.picture,
      heroImageUrl: settings.hero,
      name: settings.name,
      username: settings.username,
      bio: settings.bio,
      location: settings.location,
      socialLinks: settings.links,
      themeColor: settings.colour,
      profileVisibility: settings.visibility,
      showOnLeaderboard: settings.onLeaderboard,
    }),
    page: showProfile,
    read: withPictures({ avatarUrl: 'avatar', heroImageUrl: 'hero' }),
    done: () => `${PATH}?saved`,
  }),
})
