import type { Visit } from '@/http/visit'
import type { UserProfile } from '@/modules/account/me/schema'
import { ownPicture } from '@/modules/passes/card/face'
import { face } from '@/site/parts/face'
import { pictureForm } from '@/site/parts/picture-form'
import { type Html, html } from '@/web/html'
import { signedIn } from '@/web/page'
import type { Words } from '@/words/words'
import { PICTURES } from './addresses'
import { deedForm } from './parts'

/** The pictures of a person, each with a form that sends another one. */
export const pictures = (visit: Visit, me: UserProfile, words: Words): Html => {
  const { settings } = words
  const sender = (kind: 'avatar' | 'hero', label: string) =>
    pictureForm(signedIn(visit), { action: `${PICTURES}/${kind}`, id: kind, label }, words)
  const hero = ownPicture(me.heroImageUrl)
  return html`<section class="card">
<div class="sent">${face(me, 'large')}
${sender('avatar', settings.picture)}</div>
${me.avatarUrl && deedForm(visit, { name: 'remove-avatar', hidden: { avatarUrl: '' }, button: settings.removePicture, kind: 'small plain' })}
</section>
<section class="card">
${hero && html`<div class="cover banner"><img src="${hero}?w=1280" alt="" width="1280" height="400"></div>\n`}<div class="sent">${sender('hero', settings.hero)}</div>
${me.heroImageUrl && deedForm(visit, { name: 'remove-hero', hidden: { heroImageUrl: '' }, button: settings.removePicture, kind: 'small plain' })}
</section>`
}
