import { NONE, type Ordinal } from '../ordinal.ts';
import type { ItemField, UserField } from '../reads.ts';
import type { GroupColumn } from '../request-context.ts';
import { parsePlace } from '../values.ts';
import { valuesOf } from './columns.ts';
import type { TestSpaces } from './names.ts';
import { TEST_NOW, type TestItem, type TestUser, type TestWorld } from './world.ts';

const HOUR = 3600;
const NO_ITEM: TestItem = { item_id: '', created_at: 0 };
const NO_USER: TestUser = { user_id: '' };
const COLUMNS: readonly GroupColumn[] = ['channel', 'app', 'language', 'publication_type', 'domain', 'label'];

/** The columns of the items and users of a small world. Reading a field that is not in `reads` throws. */
export class TestColumns {
  readonly now: number;
  private readonly items_known = new Map<Ordinal, TestItem>();
  private readonly users_known = new Map<Ordinal, TestUser>();
  /** `<column> <value>` for every value of an item. The index is the value's code. */
  private readonly values: string[] = [];

  constructor(
    world: TestWorld,
    protected readonly spaces: TestSpaces,
    private readonly reads: readonly string[],
  ) {
    const { users, items } = spaces;
    this.now = world.now ?? TEST_NOW;
    for (const item of world.items ?? []) {
      this.items_known.set(items.of(item.item_id), item);
      if (item.author_id !== undefined) users.of(item.author_id);
      for (const column of COLUMNS) {
        for (const value of valuesOf(item, column)) this.note(`${column} ${value}`);
      }
    }
    for (const user of world.users ?? []) {
      this.users_known.set(users.of(user.user_id), user);
      for (const named of [...(user.follows ?? []), ...(user.blocks ?? [])]) users.of(named);
    }
  }

  get items(): Ordinal[] {
    return [...this.items_known.keys()];
  }

  protected get users(): Ordinal[] {
    return [...this.users_known.keys()];
  }

  idOf(item: Ordinal): string {
    return this.spaces.items.id(item);
  }

  author(item: Ordinal): Ordinal {
    return this.spaces.users.find(this.itemAt(item).author_id ?? '');
  }

  created_at(item: Ordinal): number {
    return this.itemAt(item).created_at ?? this.now - HOUR;
  }

  is_reply(item: Ordinal): boolean {
    return (this.itemAt(item).parent_item_id ?? '') !== '';
  }

  likes_count(item: Ordinal): number {
    return this.itemAt(item).likes_count ?? 0;
  }

  comments_count(item: Ordinal): number {
    return this.itemAt(item).comments_count ?? 0;
  }

  shares_count(item: Ordinal): number {
    return this.itemAt(item).shares_count ?? 0;
  }

  /** All engagement of a test item happened at its creation. */
  engagement_since(item: Ordinal, since: number): number {
    if (this.created_at(item) <= since) return 0;
    return this.likes_count(item) + this.comments_count(item) + this.shares_count(item);
  }

  repeated_since(_item: Ordinal, _since: number): number {
    return 0;
  }

  user(user_id: string): Ordinal {
    return this.spaces.users.find(user_id);
  }

  item(item_id: string): Ordinal {
    const item = this.spaces.items.find(item_id);
    return this.items_known.has(item) ? item : NONE;
  }

  code(column: GroupColumn, value: string): number {
    return column === 'author' ? this.user(value) : this.values.indexOf(`${column} ${value}`);
  }

  has(column: GroupColumn, item: Ordinal, code: number): boolean {
    return this.codesOf(column, item).includes(code);
  }

  any_value(column: GroupColumn, item: Ordinal, test: (code: number, score: number) => boolean): boolean {
    return this.codesOf(column, item).some((code) =>
      test(code, column === 'label' ? this.label_score(item, code) : 1),
    );
  }

  label_score(item: Ordinal, label_code: number): number {
    const [, name] = /^label (.*)$/s.exec(this.values[label_code] ?? '') ?? [];
    return this.itemAt(item).ai_labels?.[name ?? ''] ?? Number.NaN;
  }

  latitude(item: Ordinal): number {
    return this.place(item)?.latitude ?? Number.NaN;
  }

  longitude(item: Ordinal): number {
    return this.place(item)?.longitude ?? Number.NaN;
  }

  text(item: Ordinal): string {
    this.mustRead('text');
    return this.itemAt(item).text ?? '';
  }

  item_field(item: Ordinal, name: ItemField): unknown {
    this.mustRead(`item.${name}`);
    return valueAt(this.itemAt(item), name);
  }

  user_field(user: Ordinal, name: UserField): unknown {
    this.mustRead(`user.${name}`);
    return valueAt(this.userAt(user), name);
  }

  protected itemAt(item: Ordinal): TestItem {
    return this.items_known.get(item) ?? NO_ITEM;
  }

  protected userAt(user: Ordinal): TestUser {
    return this.users_known.get(user) ?? NO_USER;
  }

  protected codesOf(column: GroupColumn, item: Ordinal): number[] {
    return valuesOf(this.itemAt(item), column).map((value) => this.code(column, value));
  }

  private note(value: string): void {
    if (!this.values.includes(value)) this.values.push(value);
  }

  private place(item: Ordinal): ReturnType<typeof parsePlace> {
    return parsePlace(this.itemAt(item).geo_location ?? this.userAt(this.author(item)).geo_location ?? '');
  }

  private mustRead(field: string): void {
    if (!this.reads.includes(field)) throw new Error(`'${field}' is not in its reads`);
  }
}

/** The value at `metadata.x.y`. Undefined if there is none. */
function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
