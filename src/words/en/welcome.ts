/** The page after a person's first sign-in. */
export const welcome = {
  title: (site: string) => `Welcome to ${site}`,
  text: 'Tell people who you are. You can change all of this later in your settings.',
  name: 'Your name',
  nameHint: 'Shown on guest lists, name badges and your profile.',
  picture: 'Picture (optional)',
  visibility: 'Who can see your profile',
  button: 'Continue',
  skip: 'Skip for now',
  checking:
    'Saved. We’re still checking your picture. If it doesn’t show up in a minute, add it in your settings.',
}
