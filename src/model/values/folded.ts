const ASCII = /^[\0-\x7f]*$/;

/**
 * The form in which texts are compared by searches: NFKC without case, so that `José` is found in either of its forms, and
 * `ＡＮＮ` as `ann`. `ß` is `ss`, and both forms of a small sigma are one.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
