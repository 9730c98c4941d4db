import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { COLUMN_TYPES, type ColumnType, elementBytes } from '../columns/columns.ts';
import { BUFFER_BYTES_MAX } from '../columns/growable.ts';
import type { ColumnSpec } from '../columns/image.ts';

/** A checkpoint that cannot be used. The message is the reason. */
export class Unusable extends Error {}

/** A checkpoint of another version or made with other plugins. It may be whole. */
export class OtherMake extends Unusable {}

const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const COLUMN = Type.Object({
  type: Type.Union([...Object.keys(COLUMN_TYPES), 'Buffer'].map((name) => Type.Literal(name as ColumnType))),
  length: COUNT,
  used_bytes: COUNT,
  over: Type.Optional(COUNT),
});

/** The head of a checkpoint. The outline must match the state that is filled. */
const HEAD = Type.Object({
  name: Type.String(),
  /** The last change that it contains. */
  seq: COUNT,
  /** Fingerprint of the program and of the fields in memory. Other programs cannot use the checkpoint. */
  make: Type.String(),
  outline: Type.Unknown(),
  specs: Type.Array(COLUMN),
});

export type Head = Static<typeof HEAD>;

/** @throws Unusable for an invalid head; SyntaxError */
export function parseHead(text: string): Head {
  const head: unknown = JSON.parse(text);
  if (!Value.Check(HEAD, head)) {
    const fault = Value.Errors(HEAD, head).First();
    throw new Unusable(`its head is not valid (${fault?.path || '/'}: ${fault?.message})`);
  }
  const wrong = head.specs.findIndex((_, index) => !isPossible(head.specs, index));
  if (wrong >= 0) throw new Unusable(`its head is not valid (/specs/${wrong}: not a valid column)`);
  return head;
}

function isPossible(specs: readonly ColumnSpec[], index: number): boolean {
  const { type, length, used_bytes, over } = specs[index];
  const bytes = length * elementBytes(type);
  if (bytes > BUFFER_BYTES_MAX || used_bytes > bytes) return false;
  if (over === undefined) return true;
  // It is a view of an earlier column, has no bytes of its own, and covers that column completely.
  if (over >= index || specs[over].over !== undefined || used_bytes > 0) return false;
  return bytes === specs[over].length * elementBytes(specs[over].type);
}
