/** The exit code of a process that was started from other files than the one that started it. */
export const OTHER_RELEASE = 3

export const RESTART = 'a process came back as another release, and does not serve: restart the server'
