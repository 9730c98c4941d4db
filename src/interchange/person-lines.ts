/** The lines of the export of a person that follow from the members of changes. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { CHANGES, type Kind } from '../model/change.ts';
import { BLOCK } from '../model/changes/block.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { FOLLOW_LIST } from '../model/changes/follow-list.ts';
import { ITEM } from '../model/changes/item.ts';
import { PREFERENCES } from '../model/changes/preferences.ts';
import { SHOWN } from '../model/changes/shown.ts';
import { USER } from '../model/changes/user.ts';
import { type AnyMember, type ChangeDefinition, personalMembers } from '../model/define-change.ts';
import type { Key, Space } from '../model/key.ts';
import { type ColumnType, text } from '../model/member.ts';

/** The identifier of a user or an item; '' if it is not known any more. */
export type IdOf = (space: Space, key: Key) => string;

/** A kind of line. */
export interface LineType {
  schema: TObject;
  /** The line of a change. Undefined if it is about a user or an item whose identifier is not known any more. */
  lineOf(change: object, idOf: IdOf): object | undefined;
}

/** What a line has of a member of its change. */
interface Field {
  name: string;
  schema: TSchema;
  /** Undefined if there is no value. */
  read(value: unknown, idOf: IdOf): unknown;
}

export function lineSchema(kind: string, description: string, fields: Record<string, TSchema>): TObject {
  const line = { kind: Type.Literal(kind, { description: 'Type of the line.' }), ...fields };
  return Type.Object(line, { description });
}

/** The line that follows from the members of a kind of change. */
export function lineType(change: ChangeDefinition): LineType {
  const { kind, members, line = `A stored change of the kind \`${kind}\`.` } = change;
  const persons = personalMembers(change).map(({ name }) => name);
  const shown = Object.entries(members)
    // A line names the person only if it could name several.
    .filter(([name]) => persons.length > 1 || !persons.includes(name))
    .filter(([, { is_internal, names_viewer }]) => !is_internal && !names_viewer)
    .map(([name, member]) => ({ member: name, ...member, ...fieldOf(name, member) }))
    .map((field) => ({ ...field, may_lack: mayLack(field) || persons.includes(field.member) }));
  const schemas = shown.map(({ name, schema, may_lack }) => [
    name,
    may_lack ? Type.Optional(schema) : schema,
  ]);
  return {
    schema: lineSchema(kind, line, Object.fromEntries(schemas)),
    lineOf(given, idOf) {
      const fields: Record<string, unknown> = { kind };
      const found = new Set<string | undefined>([undefined]);
      for (const { member, name, read, may_lack, only_with } of shown) {
        const value: unknown = Reflect.get(given, member);
        const field = value === undefined || !found.has(only_with) ? undefined : read(value, idOf);
        if (field === undefined && !may_lack) return undefined;
        if (field === undefined) continue;
        fields[name] = field;
        found.add(member);
      }
      return fields;
    },
  };
}

function mayLack({ is_optional, may_lack, only_with }: AnyMember): boolean {
  return is_optional === true || may_lack === true || only_with !== undefined;
}

function fieldOf(name: string, { type, refers_to, description, words, may_lack, store }: AnyMember): Field {
  if (refers_to !== undefined) return identified(name, type, refers_to, description);
  const shown = { description: description ?? `The stored \`${name}\`.` };
  if (words !== undefined) {
    const read = (value: unknown) => (typeof value === 'number' ? words[value] : value);
    return {
      name,
      schema: Type.Union(
        words.map((word) => Type.Literal(word)),
        shown,
      ),
      read,
    };
  }
  if (type === 'time') {
    const seconds = {
      description: `${shown.description} Seconds since the Unix epoch.`,
      example: 1764865269,
    };
    return {
      name,
      schema: Type.Integer({ minimum: 0, ...seconds }),
      read: (value) => Math.floor(Number(value)),
    };
  }
  if (may_lack) return { name, schema: Type.String(shown), read: (value) => value || undefined };
  // Lists are typed arrays, which JSON writes as objects.
  const read = (value: unknown) => (ArrayBuffer.isView(value) ? [...(value as Uint32Array)] : value);
  return { name, schema: store === text.store ? Type.String(shown) : Type.Unknown(shown), read };
}

/** A member that refers to users or items, by their identifiers. */
function identified(name: string, type: ColumnType, space: Space, description = `The ${space}.`): Field {
  const is_plain = name === space || name === `${space}s`;
  const id = `${is_plain ? '' : `${name}_`}${space}_id`;
  const schema = Type.String({ description });
  if (type !== 'keys')
    return { name: id, schema, read: (key, idOf) => idOf(space, Number(key)) || undefined };
  const read = (keys: unknown, idOf: IdOf) =>
    Array.from(keys as Uint32Array, (key) => idOf(space, key)).filter((each) => each !== '');
  return { name: `${id}s`, schema: Type.Array(schema, { description }), read };
}

/** Kinds whose lines are made from the state, or read by viewer. */
const READ_OTHERWISE: ReadonlySet<Kind> = new Set([
  USER.kind,
  ITEM.kind,
  FOLLOW.kind,
  FOLLOW_LIST.kind,
  BLOCK.kind,
  PREFERENCES.kind,
  SHOWN.kind,
]);

/** All other kinds that are data about persons. Each stored change is a line. */
export const LOGGED = CHANGES.filter(
  (change) => !READ_OTHERWISE.has(change.kind) && personalMembers(change).length > 0,
);

/** The lines of all kinds of changes. */
export const LINES = Object.fromEntries(CHANGES.map((change) => [change.kind, lineType(change)])) as Readonly<
  Record<Kind, LineType>
>;
