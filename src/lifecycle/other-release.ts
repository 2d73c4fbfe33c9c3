/** The exit code of a child whose files are of another release than its parent's. */
export const OTHER_RELEASE = 3

export const RESTART = 'a process came back as another release, and does not serve: restart the server'
