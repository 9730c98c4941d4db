/** Documents and pictures, as paths of files inside the executable. */
declare module '*.md' {
  const path: string;
  export default path;
}
declare module '*.svg' {
  const path: string;
  export default path;
}
declare module '*.webp' {
  const path: string;
  export default path;
}
