import type { IngestKind } from '../../../../../openapi/client/src/index.ts';
import { fieldsOf, type Kind, RECORDS, requiredFields } from '../../../../mapping/kinds.ts';

/** The kinds of files that the page imports, in the order in which they are sent: people before their acts. */
export const SENT_KINDS = {
  users: { text: 'Users', sent_as: 'users' },
  items: { text: 'Posts', sent_as: 'items' },
  follows: { text: 'Follows', sent_as: 'follows' },
  blocks: { text: 'Blocks', sent_as: 'blocks' },
  engagement: { text: 'Counts of posts', sent_as: 'items' },
  interactions: { text: 'Interactions', sent_as: 'interactions' },
  labels: { text: 'Labels', sent_as: 'labels' },
} as const satisfies Partial<Record<Kind, { text: string; sent_as: IngestKind }>>;

export type SentKind = keyof typeof SENT_KINDS;

export const KINDS = Object.keys(SENT_KINDS) as SentKind[];

export function isSent(kind: Kind): kind is SentKind {
  return Object.hasOwn(SENT_KINDS, kind);
}

/** A field of a kind, as the mapping form shows it. */
export interface RecordField {
  name: string;
  is_required: boolean;
  is_time: boolean;
  /** The allowed texts, if there are few. */
  values: readonly string[] | undefined;
}

/** The fields of a kind: first those that a file must have. */
export function recordFields(kind: Kind): RecordField[] {
  const { schema, cells } = RECORDS[kind];
  const required = requiredFields(kind);
  const fields = fieldsOf(kind).map((name) => ({
    ...{ name, is_required: required.includes(name), is_time: cells.get(name) === 'time' },
    values: valuesOf((schema.properties as Readonly<Record<string, Schema>>)[name]),
  }));
  return fields.sort((one, other) => Number(other.is_required) - Number(one.is_required));
}

/** The part of JSON Schema that says which texts are allowed. */
interface Schema {
  type?: string;
  const?: unknown;
  anyOf?: readonly Schema[];
}

/** The texts of a schema that allows only some, or nothing. */
function valuesOf({ type, const: only, anyOf }: Schema): readonly string[] | undefined {
  if (only !== undefined) return [String(only)];
  if (type === 'boolean') return ['true', 'false'];
  const parts = anyOf?.filter((part) => part.type !== 'null').map(valuesOf);
  return parts?.every((values) => values !== undefined) ? parts.flat() : undefined;
}
