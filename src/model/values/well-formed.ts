/**
 * Replaces unpaired surrogates, such as those of a cut emoji, with U+FFFD in stored texts.
 *
 * JSON can contain them only as escapes, which strict readers refuse.
 */

/** Whether all texts and keys within a JSON value are well-formed. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

/**
 * A JSON value with U+FFFD for each unpaired surrogate in its texts and keys. Returns the same value if it has none.
 */
export function wellFormed(value: unknown): unknown {
  return isWellFormed(value) ? value : repaired(value);
}

/** As `wellFormed`, for an object. Of keys that become equal the last one counts. */
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
