/** Objects and lists within each other; the metadata itself is the first. */
const LEVELS_MAX = 16;
/** Characters of JSON text that the metadata of one item may have. */
const LENGTH_MAX = 64 * 1024;
const TOO_LONG = `it has more than ${LENGTH_MAX} characters of JSON text`;

/**
 * Why a value cannot be the metadata of an item; undefined where nothing keeps it from being that. Looks at no more than may
 * be there, so a value that is deep, huge or in a circle costs as little as a sound one.
 */
export function metadataProblem(value: unknown): string | undefined {
  if (!isPlain(value)) return `it is ${kindOf(value)} and no plain JSON object`;
  const problem = problemOf(value, 1, { length: LENGTH_MAX });
  // With escapes the text may be longer than what it is made of.
  return problem ?? (JSON.stringify(value).length > LENGTH_MAX ? TOO_LONG : undefined);
}

/** @param left room that is left for further text */
function problemOf(value: unknown, level: number, left: { length: number }): string | undefined {
  left.length -= typeof value === 'string' ? value.length + 2 : 1;
  if (left.length < 0) return TOO_LONG;
  if (typeof value === 'bigint') return 'it holds a bigint, which JSON cannot';
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > LEVELS_MAX) return `it has more than ${LEVELS_MAX} levels of objects and lists`;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const problem = problemOf(value[at], level + 1, left);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (!isPlain(value)) return 'it holds an object that is no plain JSON';
  for (const key in value) {
    left.length -= key.length + 3;
    const problem = problemOf(value[key], level + 1, left);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** An object without a class, and without a form of its own in JSON. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  );
}

/** In words, without looking into it. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object of a class' : `a ${typeof value}`;
}
