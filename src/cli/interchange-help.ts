import type { Help } from 'commander';
import { CATALOG_FIELDS } from '../alpha/catalog-record.ts';
import { EVENT_COLUMNS } from '../alpha/formats.ts';
import { FeedObjectSchema } from '../feed/feed-object.ts';
import { FEED_ROW_FIELDS } from '../ingest/interchange/feed-file.ts';
import { NAMES } from '../ingest/interchange/files.ts';
import { LINE_FIELDS } from '../ingest/interchange/formats.ts';
import type { FieldNames } from '../ingest/records/record.ts';

type FileKind = keyof typeof NAMES;

const OF_FEEDS = Object.keys(FeedObjectSchema.properties);

function tokenFields(): string {
  const { required, optional, of_tokens, of_nfts } = CATALOG_FIELDS;
  const lists = [optional.join(', '), `a token: ${of_tokens.join(', ')}`, `an NFT: ${of_nfts.join(', ')}`];
  return `${required.join(', ')} [${lists.join('; ')}]`;
}

/** The fields of a line of each file, or what there is to say of them. */
const CONTENTS: Readonly<Record<FileKind, FieldNames | string>> = {
  ...LINE_FIELDS,
  feeds: {
    required: [...FEED_ROW_FIELDS.required, 'name'],
    optional: [...FEED_ROW_FIELDS.optional, ...OF_FEEDS.filter((field) => field !== 'name')],
  },
  events: { required: EVENT_COLUMNS, optional: [] },
  tokens: tokenFields(),
  trends: 'as feedloom export writes it',
  wallet_trends: 'as feedloom export writes it',
};

/** Names of all interchange files with the columns of their header or the fields of their JSON objects. */
export function interchangeHelp(help: Help): string {
  const width = Math.max(...Object.values(NAMES).map(({ length }) => length));
  const lines = (Object.keys(NAMES) as FileKind[]).map((kind) =>
    help.formatItem(NAMES[kind], width, told(CONTENTS[kind]), help),
  );
  return `
Interchange files and their columns or fields; those in [ ] may be absent:
${lines.join('\n')}

Each file may be absent, or compressed as NAME.gz. Other files, columns and
fields are named and ignored. Times are seconds since 1970 or ISO 8601. A line
about an item that is known needs item_id alone; null for author_id says that
nobody knows the author. README, "Interchange files", tells what fields mean.`;
}

function told(contents: FieldNames | string): string {
  if (typeof contents === 'string') return contents;
  const { required, optional } = contents;
  return required.join(', ') + (optional.length === 0 ? '' : ` [${optional.join(', ')}]`);
}
