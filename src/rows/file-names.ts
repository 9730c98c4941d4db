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

/** The name of a table: that of its file, without ending. */
export function tableName(file: string): string {
  const ending = FILE_ENDINGS.find((each) => plainName(file).endsWith(each)) ?? '';
  return ending === '' ? file : file.slice(0, plainName(file).length - ending.length);
}

export function isMappable(name: string): boolean {
  return FILE_ENDINGS.some((ending) => plainName(name).endsWith(ending));
}
