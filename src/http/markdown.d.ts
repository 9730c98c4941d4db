/** Documents and pictures, as paths of files that the executable carries along. */
declare module '*.md' {
  const path: string;
  export default path;
}
declare module '*.svg' {
  const path: string;
  export default path;
}
