/** Endings of files that can be mapped. */
export const FILE_ENDINGS: readonly string[] = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json'];

export function isCompressed(name: string): boolean {
  return /\.gz$/i.test(name);
}

/** The name of a file without `.gz`, in lower case. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.gz$/, '');
}

export function isCsv(name: string): boolean {
  return /\.[ct]sv$/.test(plainName(name));
}

export function isMappable(name: string): boolean {
  return FILE_ENDINGS.some((ending) => plainName(name).endsWith(ending));
}
