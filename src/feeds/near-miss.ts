/** Shorter names are too like other words. */
const LENGTH_MIN = 6;
const LENGTH_MAX = 100;

/**
 * The known name that an unknown one was probably meant for: the same in another case or number or with other separators.
 * @param known names in the order of preference
 * @param typos whether one letter may be wrong, too
 */
export function nearMiss(name: string, known: Iterable<string>, typos: boolean): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const plain = plainOf(name);
  if (plain.length < LENGTH_MIN - 1) return undefined;
  for (const candidate of known) {
    const wanted = plainOf(candidate);
    if (wanted.length < LENGTH_MIN) continue;
    // Names of other identifiers, such as `user_fid`, are no typos.
    if (wanted === plain || (typos && !candidate.endsWith('_id') && isOneEdit(wanted, plain)))
      return candidate;
  }
  return undefined;
}

function plainOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '');
}

/** Whether two different texts are the same but for a letter that is missing, wrong, or exchanged with the next one. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
