import { COLUMN_TYPES, type Column } from './columns.ts';
import { type ColumnSpec, imageOf, restore } from './image.ts';

/** A part of a state on its way to another thread: its columns themselves, of which nothing is copied. */
export interface Moved {
  outline: unknown;
  columns: ColumnSpec[];
  /** Of each column that lies over no other; to be transferred. */
  buffers: ArrayBuffer[];
}

/** Takes a part of a state apart, which is of no use any more once its buffers have been transferred. */
export function take(part: object): Moved {
  const { outline, columns, bytes } = imageOf(part);
  return { outline, columns, buffers: bytes.map(({ buffer }) => buffer as ArrayBuffer) };
}

/** Puts what was taken into a part of the same make. @throws Error when it is of another */
export function put(part: object, { outline, columns, buffers }: Moved): void {
  let next = 0;
  restore(
    part,
    outline,
    columns,
    columns.map((spec) => (spec.over === undefined ? columnOf(spec, buffers[next++]) : undefined)),
  );
}

function columnOf({ type }: ColumnSpec, buffer: ArrayBuffer): Column {
  return type === 'Buffer' ? Buffer.from(buffer) : new COLUMN_TYPES[type](buffer);
}
