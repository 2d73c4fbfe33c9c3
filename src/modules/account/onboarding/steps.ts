/** Facts by which steps are completed. */
export type Progress = {
  hasContent: boolean
  joinedGroup: boolean
  followsSomeone: boolean
  answeredEvent: boolean
  metSomeone: boolean
  xp: number
}

type Step = { key: string; title: string; description: string; isCompleted: (progress: Progress) => boolean }

/** The first steps, in order. Completion is computed, never stored, so it is never stale. */
export const STEPS: readonly Step[] = [
  {
    key: 'add_profile_content',
    title: 'Say who you are',
    description: 'Write a bio, add a link, or show something you made.',
    isCompleted: ({ hasContent }) => hasContent,
  },
  {
    key: 'join_group',
    title: 'Join a group',
    description: 'Join a group you like.',
    isCompleted: ({ joinedGroup }) => joinedGroup,
  },
  {
    key: 'follow_user',
    title: 'Follow someone',
    description: 'Find a person in the directory and follow them.',
    isCompleted: ({ followsSomeone }) => followsSomeone,
  },
  {
    key: 'rsvp_event',
    title: 'Go to an event',
    description: 'RSVP to an event that you like.',
    isCompleted: ({ answeredEvent }) => answeredEvent,
  },
  {
    key: 'connect_meetpass',
    title: 'Meet someone in person',
    description: "Tap or scan another member's pass.",
    isCompleted: ({ metSomeone }) => metSomeone,
  },
  {
    key: 'reach_10_xp',
    title: 'Earn your first 10 XP',
    description: 'Earn badges to get points.',
    isCompleted: ({ xp }) => xp >= 10,
  },
]
