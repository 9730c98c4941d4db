/**
 * The result of checking one value: the normalised value, or a `Refusal` that says what is allowed.
 *
 * Paths in a refusal are relative to the value, so that valid values need no paths.
 */
import { type Fault, pointerSegment } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';

/** Why a value was refused. The paths of `faults` are relative to the value ('' is the value itself). */
export class Refusal {
  constructor(readonly faults: readonly Fault[]) {}
}

export interface ReadOptions {
  /** Ends refusals of numbers that are probably in another unit, such as `; --unit sets it`. */
  unit_advice?: string;
  /** Whether `null` removes the stored value. By default it counts as not given. */
  null_clears?: boolean;
}

/** Normalises an untrusted value or refuses it. Pure, never throws. */
export type Check<T> = (value: unknown, options?: ReadOptions) => T | Refusal;

const GOT = '; got ';

/** A warning about a value, which it ends with. */
export function warningAbout(warning: string, value: unknown): string {
  return warning.includes(GOT) ? warning : warning + GOT + show(value, SHOWN_LENGTH_MAX);
}

/** A warning without the value that it is about. Of warnings of one kind, answers and imports show the first. */
export function kindOfWarning(warning: string): string {
  return warning.split(GOT, 1)[0];
}

/** A value without the parts that cannot be kept, which `warnings` name. */
export class Reduced<T> {
  constructor(
    readonly value: T,
    readonly warnings: readonly string[],
  ) {}
}

/** A value that cannot be kept, in a record that is valid without it. */
export class Dropped {
  constructor(readonly warning: string) {}
}

/** What a check of a value returns. */
export type Checked<T> = T | Refusal | Reduced<T> | Dropped;

/** As `Check`, for a field of a record. Only identifiers and times refuse the whole record. */
export type FieldCheck<T> = (value: unknown, options?: ReadOptions) => Checked<T>;

/** The same with a kept value converted. */
export function mapped<T, U>(checked: Checked<T>, convert: (value: T) => U): Checked<U> {
  if (checked instanceof Refusal || checked instanceof Dropped) return checked;
  if (checked instanceof Reduced) return new Reduced(convert(checked.value), checked.warnings);
  return convert(checked);
}

/** A result without warnings, for where nobody reads them: what was dropped alone is refused. */
export function whole<T>(checked: Checked<T>): T | Refusal {
  if (checked instanceof Reduced) return checked.value;
  return checked instanceof Dropped ? refuse(checked.warning) : checked;
}

/** Maximum faults of one list or object. A thousand bad entries need not be reported individually. */
export const FAULTS_PER_VALUE_MAX = 20;

/** Maximum warnings of an object or list: one more than are listed, to detect further ones. */
export const WARNINGS_MAX = LIMITS.warnings_listed_max + 1;

/** Characters of an untrusted string or name that a message repeats. */
const SHOWN_LENGTH_MAX = 40;

export function refuse(message: string, path = ''): Refusal {
  return new Refusal([{ path, message }]);
}

/** Refuses `value`, with the allowed form and the value, shortened to `shown_max` characters. */
export function expected(allowed: string, value: unknown, shown_max = SHOWN_LENGTH_MAX): Refusal {
  return refuse(`expected ${allowed}${GOT}${show(value, shown_max)}`);
}

/** The faults of a record as one text. */
export function describeFaults(faults: readonly Fault[]): string {
  return faults.map(({ path, message }) => `${path.slice(1) || 'record'}: ${message}`).join('; ');
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  if (typeof name === 'number') return `/${name}`;
  return `/${pointerSegment(clip(name))}`;
}

/** At most the first 40 UTF-16 units of an untrusted text, without splitting a character. */
export function clip(text: string): string {
  return start(text, SHOWN_LENGTH_MAX);
}

function start(text: string, length_max: number): string {
  if (text.length <= length_max) return text.toWellFormed();
  const cut = text.slice(0, length_max);
  const last = cut.charCodeAt(length_max - 1);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return `${(halved ? cut.slice(0, -1) : cut).toWellFormed()}…`;
}

function show(value: unknown, length_max: number): string {
  if (typeof value === 'string') return JSON.stringify(start(value, length_max));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : typeof value;
}

/**
 * Whether `value` is the result of parsing a JSON object: neither an array nor an instance of a class.
 *
 * It may have any own keys, even `__proto__`, which is then an ordinary own key.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
