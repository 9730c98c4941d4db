import type { Space } from './key.ts';
import type {
  ColumnType,
  Derived,
  Member,
  NamesViewer,
  Optional,
  Reference,
  Role,
  StoredAs,
} from './member.ts';

/**
 * The stamp of every stored change.
 *
 * `seq` increases over all tables, and the store assigns it at commit. `applied_at` (seconds) is the writer's clock. It
 * never decreases with `seq`, and it is the only time that `apply` knows.
 */
export interface Stamp {
  seq: number;
  applied_at: number;
}

export type AnyMember = Member<unknown> &
  Partial<Optional & NamesViewer & Reference<Space, Role> & { column: string; since: string }>;

/** A kind of change: its members in the order of their columns, and its table. */
export interface ChangeDefinition {
  kind: string;
  table: string;
  members: Readonly<Record<string, AnyMember>>;
  /** Columns after those of the members. */
  derived?: Readonly<Record<string, Derived>>;
  /** The migration that adds the table. Absent: the first one. */
  since?: string;
  /** The member that names whom it is a complete version of. Only the latest version of each counts. */
  latest_per?: string;
  /** Whether the state ignores it, so that a start does not read it. */
  is_beside_state?: boolean;
  /** Whether rows about an item go with its content, as versions do, although they name users, as acts do. */
  is_about_content?: boolean;
  /** Describes its line in the export of a person. */
  line?: string;
}

type Flat<T> = T extends infer Members ? { [Name in keyof Members]: Members[Name] } : never;
type ValueOf<M> = M extends Member<infer T, infer _> ? T : never;

/** A change of a kind, in memory. */
export type ChangeOf<D extends ChangeDefinition> = Flat<
  Stamp & { kind: D['kind'] } & {
    -readonly [Name in keyof D['members'] as D['members'][Name] extends Optional ? never : Name]: ValueOf<
      D['members'][Name]
    >;
  } & {
    -readonly [Name in keyof D['members'] as D['members'][Name] extends Optional ? Name : never]?: ValueOf<
      D['members'][Name]
    >;
  }
>;

/** The name of a member's column: users and items are named by keys. */
type ColumnName<Name, M> = M extends { column: infer Column extends string }
  ? Column
  : M extends { type: 'key'; refers_to: Space }
    ? `${Name & string}_key`
    : Name & string;

type Bytes<T> = T extends Uint32Array | Float64Array ? Uint8Array : T;
type ColumnOf<M> = M extends { type: infer Type extends ColumnType } ? Bytes<StoredAs<Type>> : never;

/** A row of the table, as an engine returns it: lists are bytes. PostgreSQL returns `seq` as text. */
export type RowOf<D extends ChangeDefinition> = Flat<
  Stamp & {
    -readonly [Name in keyof D['members'] as ColumnName<Name, D['members'][Name]>]: ColumnOf<
      D['members'][Name]
    >;
  } & { -readonly [Name in keyof D['derived']]: ColumnOf<D['derived'][Name]> }
>;

export function defineChange<const D extends ChangeDefinition>(definition: D): D {
  return definition;
}

/** The name of the column of a member. */
export function columnOf(name: string, { column, type, refers_to }: AnyMember): string {
  return column ?? (type === 'key' && refers_to !== undefined ? `${name}_key` : name);
}

/** A member that names users or items. */
export interface NamedReference extends Reference<Space, Role> {
  name: string;
  column: string;
}

/** The members that name users or items, in order. */
export function referencesOf({ members }: ChangeDefinition): NamedReference[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const { refers_to, role, may_lack } = member;
    if (refers_to === undefined || role === undefined) return [];
    return [{ name, column: columnOf(name, member), refers_to, role, may_lack }];
  });
}

/** Whether a member names users, or a viewer. */
export function namesPerson({ refers_to, names_viewer }: AnyMember): boolean {
  return refers_to === 'user' || names_viewer === true;
}

/** The members whose person has the change in the export of their data, in order. */
export function personalMembers({ members }: ChangeDefinition) {
  return Object.entries(members)
    .filter(([, member]) => namesPerson(member) && member.not_personal === undefined)
    .map(([name, member]) => ({ name, member, column: columnOf(name, member) }));
}
