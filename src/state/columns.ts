/** What columns are made of, by name: a state as a file (`image.ts`) and in another thread (`mirror.ts`) has the same. */
export const COLUMN_TYPES = {
  Int8Array,
  Uint8Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;
export type ColumnType = keyof typeof COLUMN_TYPES | 'Buffer';
export type Column = InstanceType<(typeof COLUMN_TYPES)[keyof typeof COLUMN_TYPES]>;

export function isColumn(value: unknown): value is Column {
  return ArrayBuffer.isView(value) && (value.constructor.name in COLUMN_TYPES || value instanceof Buffer);
}
