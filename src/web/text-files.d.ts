/** Programs for browsers, as they are sent. */
declare module '*.js' {
  const text: string
  export default text
}
declare module '*.css' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
