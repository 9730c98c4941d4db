/** Style sheets are bundled beside the script. */
declare module '*.css';

/** Texts are in the script. */
declare module '*.txt' {
  const text: string;
  export default text;
}
