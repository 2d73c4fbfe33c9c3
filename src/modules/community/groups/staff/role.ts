export type StaffRole = 'owner' | 'manager' | 'volunteer'

const RANK: Record<StaffRole, number> = { volunteer: 1, manager: 2, owner: 3 }

/** Permissions of a role, for pages. */
export const permissionsOf = (role: StaffRole) => ({
  editSettings: reaches(role, 'manager'),
  manageMembers: reaches(role, 'manager'),
  manageEvents: reaches(role, 'manager'),
  manageBadges: reaches(role, 'manager'),
  checkIn: true,
})

export const reaches = (role: StaffRole, needed: StaffRole) => RANK[role] >= RANK[needed]
