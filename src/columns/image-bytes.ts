import { ByteReader, ByteWriter } from './bytes.ts';
import { type ColumnSpec, emptyColumn, imageOf, restore } from './image.ts';

/** An object with columns as bytes: its image, see `imageOf`. */
export function imageBytes(root: object): Uint8Array {
  const { outline, columns, bytes } = imageOf(root);
  const head = new TextEncoder().encode(JSON.stringify({ outline, columns }));
  const writer = new ByteWriter();
  writer.varint(head.length);
  writer.raw(head);
  for (const column of bytes) writer.raw(column);
  return writer.result();
}

/** Restores what `imageBytes` gave into a new object of the same class. @throws Error if it does not fit */
export function restoreBytes(root: object, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const head = new TextDecoder().decode(reader.raw(reader.varint()));
  const { outline, columns } = JSON.parse(head) as { outline: unknown; columns: ColumnSpec[] };
  const filled = columns.map((spec) => {
    if (spec.over !== undefined) return undefined;
    const column = emptyColumn(spec);
    new Uint8Array(column.buffer).set(reader.raw(spec.used_bytes));
    return column;
  });
  restore(root, outline, columns, filled);
}
