import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { COLUMN_TYPES, type ColumnType, elementBytes } from '../state/columns.ts';
import { BUFFER_BYTES_MAX } from '../state/growable.ts';
import type { ColumnSpec } from '../state/image.ts';
import { Unusable } from './unusable.ts';

const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const COLUMN = Type.Object({
  type: Type.Union([...Object.keys(COLUMN_TYPES), 'Buffer'].map((name) => Type.Literal(name as ColumnType))),
  length: COUNT,
  used_bytes: COUNT,
  over: Type.Optional(COUNT),
});

/** What a checkpoint says of itself and of its columns; the outline is compared with the state that it is to fill. */
const HEAD = Type.Object({
  /** As of `CheckpointEntry`. */
  name: Type.String(),
  /** It holds every change up to this one. */
  seq: COUNT,
  /** Of the program, and of what it was told to hold in memory: another one cannot use it. */
  make: Type.String(),
  outline: Type.Unknown(),
  specs: Type.Array(COLUMN),
});

export type Head = Static<typeof HEAD>;

/** @throws Unusable for what no checkpoint says of itself; SyntaxError */
export function parseHead(text: string): Head {
  const head: unknown = JSON.parse(text);
  if (!Value.Check(HEAD, head)) {
    const fault = Value.Errors(HEAD, head).First();
    throw new Unusable(`its head is not valid (${fault?.path || '/'}: ${fault?.message})`);
  }
  const wrong = head.specs.findIndex((_, index) => !isPossible(head.specs, index));
  if (wrong >= 0) throw new Unusable(`its head is not valid (/specs/${wrong}: no column is like this)`);
  return head;
}

function isPossible(specs: readonly ColumnSpec[], index: number): boolean {
  const { type, length, used_bytes, over } = specs[index];
  const bytes = length * elementBytes(type);
  if (bytes > BUFFER_BYTES_MAX || used_bytes > bytes) return false;
  if (over === undefined) return true;
  // It lies over one that was described before, has no bytes of its own, and covers all of that one.
  if (over >= index || specs[over].over !== undefined || used_bytes > 0) return false;
  return bytes === specs[over].length * elementBytes(specs[over].type);
}
