import type { IngestKind } from '../../../../../openapi/client/src/index.ts';
import {
  parseAct,
  parseBlock,
  parseEngagement,
  parseFollow,
  parseItem,
  parseUser,
} from '../../../../model/records/index.ts';
import { INTERACTION } from '../../../../model/records/interaction.ts';
import { ENGAGEMENT } from '../../../../model/records/interchange.ts';
import { ITEM } from '../../../../model/records/item.ts';
import { BLOCK, FOLLOW } from '../../../../model/records/relation.ts';
import { USER } from '../../../../model/records/user.ts';
import type { CellTypes } from '../../../../model/values/cell-types.ts';
import type { Parsed } from '../../../../model/values/record.ts';

/** A kind of file: what its lines are. */
interface KindSpec {
  text: string;
  sent_as: IngestKind;
  /** Its fields. */
  record: {
    schema: { properties: Readonly<Record<string, object>> };
    shape: { required: readonly string[] };
    cells: CellTypes;
  };
  /** Checks a line as the service does. */
  parse: (record: unknown) => Parsed<unknown>;
  /** Fields that a file must have beyond those of every record. */
  also_required?: readonly string[];
  /** Fields that most files have. */
  usual: readonly string[];
  /** Words in the names of files of this kind. */
  words: RegExp;
  /** The name that `feedloom export` gives to such a file. */
  exported: string;
  /** Columns of other software that are probably meant for a field. */
  columns: Readonly<Record<string, readonly string[]>>;
}

/** The order is the order in which files are sent. */
export const KINDS = ['users', 'items', 'follows', 'blocks', 'engagement', 'interactions'] as const;
export type Kind = (typeof KINDS)[number];

export const KIND_SPECS: Readonly<Record<Kind, KindSpec>> = {
  users: {
    ...{ text: 'Users', sent_as: 'users', record: USER, parse: parseUser },
    usual: ['username', 'display_name'],
    words: /user|account|member|profile/,
    exported: 'users.jsonl',
    columns: { user_id: ['id', 'account_id', 'UserId'], display_name: ['name'] },
  },
  items: {
    ...{ text: 'Posts', sent_as: 'items', record: ITEM, parse: parseItem },
    usual: ['author_id', 'created_at', 'text'],
    words: /item|post|status|article|comment|topic/,
    exported: 'items.jsonl',
    columns: {
      item_id: ['id', 'post_id', 'status_id', 'ItemId'],
      author_id: ['user_id', 'account_id'],
      created_at: ['Timestamp', 'date'],
      text: ['body', 'content', 'cooked', 'Comment'],
    },
  },
  follows: {
    ...{ text: 'Follows', sent_as: 'follows', record: FOLLOW, parse: parseFollow },
    usual: ['timestamp'],
    words: /follow/,
    exported: 'follows.csv',
    columns: {
      user_id: ['account_id', 'follower_id'],
      target_user_id: ['target_account_id', 'followee_id', 'following_id'],
      timestamp: ['created_at'],
    },
  },
  blocks: {
    ...{ text: 'Blocks', sent_as: 'blocks', record: BLOCK, parse: parseBlock },
    usual: ['timestamp'],
    words: /block/,
    exported: 'blocks.csv',
    columns: {
      user_id: ['account_id'],
      target_user_id: ['target_account_id'],
      timestamp: ['created_at'],
    },
  },
  engagement: {
    ...{ text: 'Counts of posts', sent_as: 'items', record: ENGAGEMENT, parse: parseEngagement },
    usual: ['likes_count', 'comments_count', 'shares_count'],
    words: /engagement|count/,
    exported: 'engagement.csv',
    columns: { item_id: ['id', 'post_id', 'status_id'], timestamp: ['updated_at'] },
  },
  interactions: {
    ...{ text: 'Interactions', sent_as: 'interactions', record: INTERACTION, parse: parseAct },
    // Without it an interaction is as old as its import, and another one at each import.
    also_required: ['timestamp'],
    usual: [],
    words: /interaction|like|favou?rite|feedback|rating|event|share|view/,
    exported: 'interactions.csv',
    columns: {
      user_id: ['account_id', 'UserId'],
      item_id: ['post_id', 'status_id', 'ItemId'],
      event_type: ['FeedbackType', 'type'],
      timestamp: ['created_at', 'Timestamp', 'date'],
    },
  },
};

/** Files of an export that only the command reads. */
const BY_COMMAND = [...['impressions.csv', 'events.csv', 'tokens.jsonl', 'feeds.jsonl'], 'experiments.jsonl'];

/** The name without `.gz`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.gz$/, '');
}

/** Why a file cannot be imported here; undefined if it can. */
export function unreadable(name: string): string | undefined {
  const plain = plainName(name);
  if (BY_COMMAND.includes(plain)) return 'only feedloom import reads it';
  return /\.(csv|jsonl|ndjson)$/.test(plain) ? undefined : 'neither CSV nor JSON lines';
}

export function guessKind(name: string): Kind | undefined {
  const plain = plainName(name);
  const exported = KINDS.find((kind) => KIND_SPECS[kind].exported === plain);
  return exported ?? KINDS.findLast((kind) => KIND_SPECS[kind].words.test(plain));
}

/** The column that is probably meant for a field. */
export function guessColumn(kind: Kind, field: string, columns: readonly string[]): string | undefined {
  return [field, ...(KIND_SPECS[kind].columns[field] ?? [])].find((name) => columns.includes(name));
}

/** A field of a kind, as the mapping form shows it. */
export interface RecordField {
  name: string;
  is_required: boolean;
  /** The allowed texts, if there are few. */
  values: readonly string[] | undefined;
}

/** The fields of a kind: first those that a file must have. */
export function fieldsOf(kind: Kind): RecordField[] {
  const { record, also_required = [] } = KIND_SPECS[kind];
  const needed = new Set([...record.shape.required, ...also_required]);
  const fields = Object.entries(record.schema.properties).map(([name, schema]) => ({
    ...{ name, is_required: needed.has(name), values: valuesOf(schema) },
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
function valuesOf({ const: only, anyOf }: Schema): readonly string[] | undefined {
  if (only !== undefined) return [String(only)];
  const parts = anyOf?.filter(({ type }) => type !== 'null').map(valuesOf);
  return parts?.every((values) => values !== undefined) ? parts.flat() : undefined;
}
