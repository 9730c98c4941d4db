import { TextColumn } from '../columns/text-column.ts';
import { ValueColumn } from '../columns/value-column.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import { parseRead, type Read } from '../plugin/reads.ts';
import { readableText } from './readable-text.ts';

interface FieldColumn {
  path: readonly string[];
  values: ValueColumn;
}

/**
 * The content fields that plugins declared in `reads`, as columns. Other fields are only in the store.
 *
 * A new version of a content replaces all its fields. A deletion or erasure clears them.
 */
export class Fields {
  private readonly texts: TextColumn | undefined;
  private readonly of_items = new Map<string, FieldColumn>();
  private readonly of_users = new Map<string, FieldColumn>();

  /** @param reads must be well-formed; duplicates are fine */
  constructor(reads: Iterable<Read> = []) {
    let text = false;
    for (const read of reads) {
      const parsed = parseRead(read);
      if (parsed === undefined) throw new Error(`'${read}' is not a valid field`);
      if (parsed.of === 'user') this.of_users.set(parsed.name, columnFor(parsed.path));
      else if (parsed.name === 'text') text = true;
      // Words are held from their first use on (`Words`).
      else if (parsed.path.length === 0) continue;
      else this.of_items.set(parsed.name, columnFor(parsed.path));
    }
    if (text) this.texts = new TextColumn();
  }

  /** The text of an item. '' if it has none. O(length). @throws Error if no plugin declared texts */
  text(item: number): string {
    if (this.texts === undefined) throw notHeld('item.text');
    return this.texts.get(item);
  }

  item(item: number, name: string): unknown {
    const column = this.of_items.get(name);
    if (column === undefined) throw notHeld(`item.${name}`);
    return column.values.get(item);
  }

  user(user: number, name: string): unknown {
    const column = this.of_users.get(name);
    if (column === undefined) throw notHeld(`user.${name}`);
    return column.values.get(user);
  }

  describeItem(item: number, content: ItemContent): void {
    this.texts?.set(item, readableText(content) ?? '');
    describe(this.of_items, item, content);
  }

  forgetItem(item: number): void {
    this.texts?.clear(item);
    for (const { values } of this.of_items.values()) values.clear(item);
  }

  describeUser(user: number, content: UserContent): void {
    describe(this.of_users, user, content);
  }

  forgetUser(user: number): void {
    for (const { values } of this.of_users.values()) values.clear(user);
  }
}

function columnFor(path: readonly string[]): FieldColumn {
  return { path, values: new ValueColumn() };
}

function describe(columns: ReadonlyMap<string, FieldColumn>, ordinal: number, content: object): void {
  for (const { path, values } of columns.values()) values.set(ordinal, valueAt(content, path));
}

/** The value at a path of keys. Undefined if a key is missing. */
export function valueAt(content: unknown, path: readonly string[]): unknown {
  let value = content;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function notHeld(read: string): Error {
  return new Error(`'${read}' is not held in memory: add it to the plugin's reads`);
}
