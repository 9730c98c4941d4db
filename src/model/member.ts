import { EVENT_TYPES } from './acts.ts';
import { type Key, NONE, type Space } from './key.ts';
import { restoredText, storableText } from './storable-text.ts';

/**
 * The types of columns.
 *
 * `key`: an integer key, NONE or a hash (32 bits with a sign). `count`: an integer up to 2^53. `code`: 0 to 255.
 * `time`: seconds with fractions. `text`: any string. `keys`: a list of unsigned 32-bit integers. `numbers`: a list of
 * doubles. `bytes`: any bytes. Lists are stored as little-endian bytes.
 */
export type ColumnType = 'key' | 'count' | 'code' | 'time' | 'text' | 'keys' | 'numbers' | 'bytes';

/** A value of a column of this type. */
export type StoredAs<Type extends ColumnType> = Type extends 'text'
  ? string
  : Type extends 'keys'
    ? Uint32Array
    : Type extends 'numbers'
      ? Float64Array
      : Type extends 'bytes'
        ? Uint8Array
        : number;

/**
 * What a row has to do with the user or item that a member names.
 *
 * `subject`: the row is about it, and is removed with it. `owner`: the author of the row's item, who is removed from rows
 * of items that stay. `mention`: the row stays.
 */
export type Role = 'subject' | 'owner' | 'mention';

/** How the export of a person shows a member of a change. */
export interface InExport {
  description?: string;
  /** Of codes: the word for each, in the community of content. */
  words?: readonly string[];
  /** The member without which it means nothing. */
  only_with?: string;
  /** Whether the export leaves it out, because it means nothing outside of the store. */
  is_internal?: boolean;
  /** Why the change is not in the export of the person whom the member names. */
  not_personal?: string;
}

/** A member of a change, and its column. @template T its type in a change */
export interface Member<T, Type extends ColumnType = ColumnType> extends InExport {
  type: Type;
  /** The largest value of a code that is ever stored. */
  max?: number;
  /** The value of the column. Absent: the member's value. */
  store?(value: T): StoredAs<Type>;
  restore?(stored: StoredAs<Type>): T;
}

/** A member that names users or items, as one key or as a list. */
export interface Reference<S extends Space, R extends Role> {
  refers_to: S;
  role: R;
  /** Whether it may be NONE. */
  may_lack?: boolean;
}

/** A member that names a viewer by their row of seen items, see `viewerHash`. */
export interface NamesViewer {
  names_viewer: true;
}

/** A member that may be absent or undefined in a change. */
export interface Optional {
  is_optional: true;
}

/** A column that repeats what another one contains, to find rows by it. Not a member of a change. */
export interface Derived<Type extends ColumnType = ColumnType> {
  type: Type;
  since?: string;
  derive(change: never): StoredAs<Type>;
}

/** A column that a migration added to the table. */
export function since<M>(migration: string, member: M): M & { since: string } {
  return { ...member, since: migration };
}

/** Gives the column of a member another name. */
export function inColumn<M, Column extends string>(column: Column, member: M): M & { column: Column } {
  return { ...member, column };
}

/** NONE is stored for a member that is absent. */
export function optional<T extends number, Type extends 'key' | 'time', R>(
  member: Member<T, Type> & R,
): R & Member<number, Type> & Optional {
  return {
    ...member,
    is_optional: true,
    store: (value: number | undefined) => value ?? NONE,
    restore: (stored: number) => (stored === NONE ? undefined : stored),
  };
}

export const integer: Member<number, 'key'> = { type: 'key' };
export const count: Member<number, 'count'> = { type: 'count' };
export const code: Member<number, 'code'> = { type: 'code' };
/** 1 or 0 */
export const bit: Member<number, 'code'> = { type: 'code', max: 1 };

/** 1 for the word `on`, 0 for the word `off`. */
export function switched(on: string, off: string): typeof bit {
  return { ...bit, words: [off, on] };
}

/** The code of a type in the vocabulary of the community. */
export const event_type: typeof code = { ...code, words: EVENT_TYPES };
/** seconds */
export const time: Member<number, 'time'> = { type: 'time' };
export const text: Member<string, 'text'> = { type: 'text', store: storableText, restore: restoredText };
export const keys: Member<Uint32Array, 'keys'> = { type: 'keys' };
export const numbers: Member<Float64Array, 'numbers'> = { type: 'numbers' };
/** Bytes as hexadecimal text, which are stored as bytes. */
const hex: Member<string, 'bytes'> = {
  type: 'bytes',
  store: (value) => Uint8Array.fromHex(value),
  restore: (stored) => stored.toHex(),
};

/** One of a list that only grows at its end. Its index is stored. */
export function oneOf<T extends string>(values: readonly T[]): Member<T, 'code'> {
  const store = (value: T) => values.indexOf(value);
  return { type: 'code', words: values, store, restore: (stored) => values[stored] };
}

export function json<T>(): Member<T, 'text'> {
  return { type: 'text', store: (value) => JSON.stringify(value), restore: (stored) => JSON.parse(stored) };
}

type KeyOf<S extends Space, R extends Role> = Member<Key, 'key'> & Reference<S, R>;

export function subject<S extends Space>(refers_to: S): KeyOf<S, 'subject'> {
  return { type: 'key', refers_to, role: 'subject' };
}

export function mention<S extends Space>(refers_to: S): KeyOf<S, 'mention'> {
  return { type: 'key', refers_to, role: 'mention' };
}

export function mentions<S extends Space>(refers_to: S): typeof keys & Reference<S, 'mention'> {
  return { type: 'keys', refers_to, role: 'mention' };
}

/** The author of the item that the row is about. NONE if unknown. */
export const owner: KeyOf<'user', 'owner'> = {
  type: 'key',
  refers_to: 'user',
  role: 'owner',
  may_lack: true,
};

/** Allows NONE. */
export function orNone<M extends Reference<Space, Role>>(member: M): M {
  return { ...member, may_lack: true };
}

/** A text whose empty value means that there is none. */
export const optional_text: typeof text & { may_lack: true } = { ...text, may_lack: true };

export const viewer: typeof text & NamesViewer = { ...text, names_viewer: true };
/** 16 bytes as hexadecimal text. */
export const viewer_bytes: typeof hex & NamesViewer = { ...hex, names_viewer: true };

/** Describes a member in the export of a person. */
export function described<M extends InExport>(description: string, member: M, only_with?: string): M {
  return { ...member, description, only_with };
}

export function internal<M extends InExport>(member: M): M {
  return { ...member, is_internal: true };
}

/** Leaves changes out of the export of the person whom the member names. @param reason a sentence */
export function notPersonal<M extends InExport>(reason: string, member: M): M {
  return { ...member, not_personal: reason };
}
