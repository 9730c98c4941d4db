export const ASCII = /^[\0-\x7f]*$/;

/** Small letters that are folded further, such as `ß` and `ς`. */
const UNFOLDED = /\p{CWCF}/u;

/**
 * The form in which texts are compared: NFKC with full case folding. `José` is one text in either of its forms, `ＡＮＮ`
 * is `ann`, `ß` and `ẞ` are `ss`, both forms of a small sigma are one. Accents stay, and so does a dotless `ı`.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKC').toLowerCase();
  return UNFOLDED.test(lower) ? fullyFolded(lower) : lower.normalize('NFKC');
}

function fullyFolded(lower: string): string {
  // Only the dotless i has an upper case that another letter has, too, without being equal to it.
  const letters = lower.split('ı').map((part) => part.toUpperCase().toLowerCase());
  return letters.join('ı').replaceAll('ς', 'σ').normalize('NFKC');
}
