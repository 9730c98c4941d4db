export const ASCII = /^[\0-\x7f]*$/;

/**
 * The form in which texts are compared: NFKC with full case folding. `José` is one text in either of its forms, `ＡＮＮ`
 * is `ann`, `ß` and `ẞ` are `ss`, both forms of a small sigma are one. Accents stay, and so does a dotless `ı`.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Only the dotless i has an upper case that another letter has, too, without being equal to it.
  const letters = text
    .normalize('NFKC')
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase());
  return letters.join('ı').replaceAll('ς', 'σ').normalize('NFKC');
}
