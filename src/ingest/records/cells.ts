/** Converts CSV cells, which are all text, to the values that the parsers of records take. */

export type CsvKind =
  | 'user'
  | 'item'
  | 'follow'
  | 'block'
  | 'interaction'
  | 'impression'
  | 'engagement'
  | 'event';

/**
 * The type of a cell's text.
 *
 * `list`: a JSON array, or texts separated by `|`. `json`: a JSON object or array. `vector`: a JSON array or base64. Other
 * columns are texts. Identifiers are texts, so `007` is not `7`.
 */
type CellType = 'number' | 'flag' | 'list' | 'json' | 'vector';

const HIDING = { hidden: 'flag', hidden_by_network: 'flag', hidden_by_network_at: 'number' } as const;

const CELL_TYPES: Readonly<Record<CsvKind, Readonly<Record<string, CellType>>>> = {
  user: { created_at: 'number', ...HIDING, wallet_addresses: 'list', metadata: 'json' },
  item: {
    ...{ created_at: 'number', updated_at: 'number' },
    ...{ likes_count: 'number', comments_count: 'number', shares_count: 'number' },
    dismissed_reports_count: 'number',
    ...{ embed_items: 'list', embed_domains: 'list', publication_types: 'list', mentioned_profiles: 'list' },
    ...{ ai_labels: 'list', ...HIDING, metadata: 'json', embedding: 'vector' },
  },
  follow: { timestamp: 'number' },
  block: { timestamp: 'number' },
  interaction: { timestamp: 'number' },
  impression: { timestamp: 'number', slot: 'number' },
  event: { timestamp: 'number' },
  engagement: {
    timestamp: 'number',
    likes_count: 'number',
    comments_count: 'number',
    shares_count: 'number',
  },
};

/** A decimal number as spreadsheets and data frames write it (`1.7e+09`). */
const DECIMAL = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/;
/** The texts that databases write for true and false. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', '0'].map((text) => [text, false] as const),
]);
const LIST_SEPARATOR = '|';

/**
 * Converts a CSV row, header name → text, to the input of its parser.
 *
 * Empty cells are left out. Texts of numbers, flags, lists and JSON are converted. Other texts stay, and the parser
 * refuses them with a message. An empty `author_id` of an item means an unknown author. The result has no prototype, so
 * that any header is harmless.
 */
export function coerceCsv(kind: CsvKind, row: Readonly<Record<string, string>>): Record<string, unknown> {
  const types = CELL_TYPES[kind];
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(row)) {
    const text = row[name];
    if (text !== '') fields[name] = Object.hasOwn(types, name) ? converted(types[name], text) : text;
    else if (kind === 'item' && name === 'author_id') fields[name] = null;
  }
  return fields;
}

function converted(type: CellType, text: string): unknown {
  switch (type) {
    case 'number':
      return DECIMAL.test(text) ? Number(text) : text;
    case 'flag':
      return FLAGS.get(text.toLowerCase()) ?? text;
    case 'list':
      return /^\s*[[{]/.test(text) ? parsedJson(text) : text.split(LIST_SEPARATOR);
    case 'json':
      return parsedJson(text);
    case 'vector':
      return text.trimStart().startsWith('[') ? parsedJson(text) : text;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
