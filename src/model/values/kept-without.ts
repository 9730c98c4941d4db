/** Values that a record is kept without, because a fault in them is no reason to lose what else the record says. */
import { Dropped, type FieldCheck, Refusal, warningAbout } from './refusal.ts';

/** A type of JSON. */
type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/**
 * Drops a value of the right JSON type that `check` refuses. A value of another type is still refused, because it may be
 * meant for another field.
 * @param what begins the warning: `an entry was dropped`
 */
export function droppedUnless<T>(type: JsonType, check: FieldCheck<T>, what = 'was dropped'): FieldCheck<T> {
  return (value, options) => {
    const checked = check(value, options);
    if (!(checked instanceof Refusal) || jsonTypeOf(value) !== type) return checked;
    return new Dropped(warningAbout(`${what}; ${checked.faults[0].message}`, value));
  };
}
