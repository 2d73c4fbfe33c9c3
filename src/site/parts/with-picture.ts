import type { Caller } from '@/core/caller'
import { AppError, badRequest, isAppError } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { isForm, readFormPairs } from '@/http/form-body'
import type { Visit } from '@/http/visit'
import { ownPicture } from '@/modules/passes/card/face'
import type { Category } from '@/modules/people/uploads/categories'
import { isCheckedByNow, receiveByForm } from '@/modules/people/uploads/receive/by-form'
import { tick } from '@/web/fields'
import type { Read, Sent } from '@/web/form'
import { isOwnForm } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

/** The re-rendered form has the picture's address, so a retry needs no upload. */
const stillChecked = () =>
  new AppError('unavailable', refusals.pictureChecking, {
    'retry-after': '5',
  })

/** Reads a form with optional pictures: uploads them and passes their addresses to the action. */
export const withPictures =
  (categories: Readonly<Record<string, Category>>) =>
  async (visit: Visit, caller: Caller | null): Promise<Read> => {
    let values = new URLSearchParams()
    try {
      let sent: Awaited<ReturnType<typeof receiveByForm>> | undefined
      if (isForm(visit.request)) values = await readFormPairs(visit.request)
      else {
        sent = await receiveByForm(visit, categories, (before) => {
          values = before
          // Refuses the file if the session has ended; the input is shown again.
          if (caller === null || !isOwnForm(before, caller)) throw badRequest(refusals.incompleteForm)
        })
        values = sent.fields
        for (const [field, { publicUrl }] of sent.pictures) values.set(field, publicUrl)
        if (sent.refused !== undefined) throw sent.refused
      }
      for (const field of Object.keys(categories)) {
        const isChecked = sent?.pictures.get(field)?.isChecked
        if (!(isChecked ?? (await isCheckedByNow(values.get(field) ?? '')))) throw stillChecked()
      }
      return { values }
    } catch (error) {
      if (values.size === 0) throw error
      // Upload errors about declared fields address programs.
      const isFile = isAppError(error) && (error.about !== undefined || error.status === 413)
      return {
        values,
        error: isFile ? badRequest(refusals.pictureUnusable) : error,
      }
    }
  }

type PictureField = {
  name: string
  label: string
  /** The picture that is replaced or removed. */
  saved?: string | null
  isFace?: boolean
}

/** A picture on a form. After an error it shows one that is already uploaded, so a retry needs no upload. */
export function pictureField(
  { name, label, saved, isFace }: PictureField,
  { settings }: Words,
  sent?: Sent,
): Html {
  const typed = sent?.values.get(name)
  const shown = ownPicture(typed || saved || null)
  return html`${
    shown &&
    (isFace
      ? html`<img class="face large" src="${shown}?w=160" alt="" width="112" height="112">`
      : html`<div class="cover banner"><img src="${shown}?w=1280" alt="" width="1280" height="400"></div>`)
  }<label for="${name}-file">${label}</label>
<p class="hint small quiet" id="${name}-hint">${typed ? settings.pictureKept : settings.pictureHint}</p>
<input id="${name}-file" name="${name}" type="file" accept="image/png,image/jpeg,image/webp,image/gif" aria-describedby="${name}-hint">
${
  typed
    ? html`<input type="hidden" name="${name}" value="${typed}">`
    : saved && tick({ name, label: settings.removePicture, value: '' }, sent)
}`
}
