import { newId } from '@/core/ids'
import { newPassId } from '@/modules/passes/passes/id'
import type { OwnedPass } from '@/modules/passes/passes/owner-shown'

type Fields = {
  pass?: Partial<OwnedPass['pass']>
  owner?: Partial<OwnedPass['owner']>
  design?: Partial<NonNullable<OwnedPass['design']>>
}

/** A pass of somebody, without a database. */
export function ownedPass({ pass, owner, design }: Fields = {}): OwnedPass {
  const [ownerId, at] = [newId(), new Date(0)]
  return {
    pass: {
      ...{ id: newPassId(), type: 'qrcode', ownerId, label: null, designId: null, action: 'profile' },
      ...{ autoFollow: false, isActive: true, claimedAt: at, createdAt: at },
      ...pass,
    },
    owner: {
      ...{ id: ownerId, name: 'Ada Okafor', username: 'ada-okafor', avatarUrl: null, themeColor: 'coral' },
      ...{ bio: 'I fix bicycles on Saturdays.', location: 'Harbour Quarter', isPublic: true },
      ...{ socialLinks: ['https://ada.example/', 'https://github.com/ada-okafor'], suspendedAt: null },
      ...owner,
    },
    design: design
      ? { id: 'a', name: 'A', imageUrl: null, modelUrl: null, themeColor: null, createdAt: at, ...design }
      : null,
  }
}
