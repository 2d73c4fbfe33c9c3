import type { Mutant } from './mutant'

const GROUPS = 'test/modules/groups'

export const mutants: Mutant[] = [
  {
    name: 'removal-of-staff-tells-nobody',
    file: 'src/modules/groups/members/actions.ts',
    find: "await emit(tx, 'member.removed', { groupId, memberId, userId, role })",
    replace: 'void [userId, role]',
    means: 'Other systems let somebody in who was removed.',
    tests: [`${GROUPS}/members.test.ts`],
  },
  {
    name: 'leaving-tells-nobody',
    file: 'src/modules/groups/members/actions.ts',
    find: "await emit(tx, 'member.removed', { groupId, memberId: left.id, userId, role: left.role })",
    replace: '',
    means: 'Other systems let somebody in who left.',
    tests: [`${GROUPS}/members.test.ts`],
  },
  {
    name: 'adding-tells-nobody',
    file: 'src/modules/groups/members/actions.ts',
    find: "await emit(tx, 'member.added', { groupId, memberId: member.id, userId: user.id, role })",
    replace: '',
    means: 'Other systems do not know who works there.',
    tests: [`${GROUPS}/members.test.ts`],
  },
  {
    name: 'role-change-tells-nobody',
    file: 'src/modules/groups/members/actions.ts',
    find: "await emit(tx, 'member.role_changed', { groupId, memberId, userId: member.userId, role })",
    replace: '',
    means: 'Other systems give a volunteer what managers have.',
    tests: [`${GROUPS}/members.test.ts`],
  },
]
