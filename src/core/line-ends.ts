/** What one reader or another takes for the end of a line, whatever the one before it thinks. */
export const LINE_ENDS = /\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]/g

export const isOneLine = (text: string): boolean => text.search(LINE_ENDS) < 0
