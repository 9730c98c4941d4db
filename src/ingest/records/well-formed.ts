/**
 * Half surrogate pairs (a client cut an emoji in two) are no characters: JSON can only hold them as escapes, which
 * strict readers refuse. Texts that are stored to be answered have U+FFFD in their place.
 */

/** Whether no text within a JSON value, keys included, has half a surrogate pair. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

/** A JSON value with U+FFFD for each half surrogate pair in its texts and keys; the very value when it has none. */
export function wellFormed(value: unknown): unknown {
  return isWellFormed(value) ? value : repaired(value);
}

/** As `wellFormed`, of an object. Of keys that become the same the last counts. */
export function wellFormedObject(fields: Record<string, unknown>): Record<string, unknown> {
  return isWellFormed(fields) ? fields : repairedObject(fields);
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(repaired) : repairedObject(value);
}

function repairedObject(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [name.toWellFormed(), repaired(inner)]),
  );
}
