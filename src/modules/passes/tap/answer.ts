import { perObject } from '@/core/per-object'
import { ownerShown } from '../passes/owner-shown'
import type { KnownPass } from '../passes/queries'

const head = perObject(({ pass, design, owner }: KnownPass): string => {
  const { id, type, action } = pass
  const shown = {
    pass: {
      id,
      type,
      action,
      design: design && {
        name: design.name,
        imageUrl: design.imageUrl,
        modelUrl: design.modelUrl,
        themeColor: design.themeColor,
      },
    },
    owner: owner && ownerShown(owner),
  }
  return `{"data":${JSON.stringify(shown).slice(0, -1)},"connected":`
})

/** Omits label and settings, which are private to the owner. */
export const tapJson = (known: KnownPass, connected: boolean): string => `${head(known)}${connected}}}`
