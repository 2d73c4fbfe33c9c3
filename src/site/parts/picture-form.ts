import type { Caller } from '@/core/caller'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

type PictureForm = {
  action: string
  /** The prefix of element ids. */
  id: string
  label: string
}

/** An upload form for a picture that works without script. */
export const pictureForm = (caller: Caller, { action, id, label }: PictureForm, { settings }: Words): Html =>
  html`<form method="post" action="${action}" enctype="multipart/form-data" data-upload data-sending="${settings.uploading}">
${formToken(caller)}
<label for="${id}-file">${label}</label>
<p class="hint small quiet" id="${id}-hint">${settings.pictureHint}</p>
<input id="${id}-file" name="file" type="file" accept="image/png,image/jpeg,image/webp,image/gif" required aria-describedby="${id}-hint">
<button class="button small plain">${settings.upload}</button>
</form>`
