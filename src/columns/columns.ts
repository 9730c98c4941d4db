/** The column types by the name that an image stores. */
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

export function elementBytes(type: ColumnType): number {
  return type === 'Buffer' ? 1 : COLUMN_TYPES[type].BYTES_PER_ELEMENT;
}
