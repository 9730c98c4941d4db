/** Maximum nesting of objects and lists. The metadata itself is level 1. */
const LEVELS_MAX = 16;
/** Maximum length of the metadata of one item, in characters of JSON text. */
const LENGTH_MAX = 64 * 1024;
const TOO_LONG = `it has more than ${LENGTH_MAX} characters of JSON text`;

/**
 * Explains why a value is not valid metadata of an item. Undefined if it is valid.
 *
 * Stops at the limits, so deep, huge and circular values cost no more than valid ones.
 */
export function metadataProblem(value: unknown): string | undefined {
  if (!isPlain(value)) return `it is ${kindOf(value)} and not a plain JSON object`;
  const problem = problemOf(value, 1, { length: LENGTH_MAX });
  // Escapes can make the text longer than the sum of its parts.
  return problem ?? (JSON.stringify(value).length > LENGTH_MAX ? TOO_LONG : undefined);
}

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
  if (!isPlain(value)) return 'it holds an object that is not plain JSON';
  for (const key in value) {
    left.length -= key.length + 3;
    const problem = problemOf(value[key], level + 1, left);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether a value is an object without a class and without a `toJSON` of its own. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  );
}

/** Names the kind of a value without reading its content. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object of a class' : `a ${typeof value}`;
}
