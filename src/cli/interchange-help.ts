import type { Help } from 'commander';
import { FeedObjectSchema } from '../feeds/feed-object.ts';
import { FEED_ROW_FIELDS } from '../interchange/feed-file.ts';
import { type FileKind, NAMES } from '../interchange/files.ts';
import { LINE_FIELDS } from '../interchange/formats.ts';
import { KINDS } from '../mapping/kinds.ts';
import { PRESET_NAMES } from '../mapping/presets/index.ts';
import { PREFERENCES_LINE } from '../model/records/preferences.ts';
import { CATALOG_FIELDS } from '../model/records/token.ts';
import { LIST_LINE } from '../model/records/user-list.ts';
import type { FieldNames } from '../model/values/record.ts';
import { fieldNames } from '../model/values/record.ts';

const OF_FEEDS = Object.keys(FeedObjectSchema.properties);

function tokenFields(): string {
  const { required, optional, of_tokens, of_nfts } = CATALOG_FIELDS;
  const lists = [optional.join(', '), `a token: ${of_tokens.join(', ')}`, `an NFT: ${of_nfts.join(', ')}`];
  return `${required.join(', ')} [${lists.join('; ')}]`;
}

/** The fields of a line of each file, or a description. */
export const CONTENTS: Readonly<Record<FileKind, FieldNames | string>> = {
  ...LINE_FIELDS,
  feeds: {
    required: [...FEED_ROW_FIELDS.required, 'name'],
    optional: [...FEED_ROW_FIELDS.optional, ...OF_FEEDS.filter((field) => field !== 'name')],
  },
  tokens: tokenFields(),
  lists: fieldNames(LIST_LINE.shape),
  preferences: fieldNames(PREFERENCES_LINE.shape),
  experiments: 'as feedloom export writes it',
};

/** The names of all interchange files, with the columns of their header or the fields of their JSON objects. */
export function interchangeHelp(help: Help): string {
  const width = Math.max(...Object.values(NAMES).map(({ length }) => length));
  const lines = (Object.keys(NAMES) as FileKind[]).map((kind) =>
    help.formatItem(NAMES[kind], width, fieldList(CONTENTS[kind]), help),
  );
  return `
Interchange files and their columns or fields; those in [ ] may be absent:
${lines.join('\n')}

Each file may be absent, or compressed as NAME.gz. Other files, columns and
fields are named and ignored. Times are seconds since 1970 or ISO 8601. A line
about an item that is known needs item_id alone; null for author_id says that
the author is unknown. docs/import.md, "Interchange files", explains the fields.
${MAP_HELP}`;
}

const MAP_HELP = `
Exports of other software (CSV, JSON lines, JSON):
  --preset NAME reads those of ${PRESET_NAMES.slice(0, 5).join(', ')},
  ${PRESET_NAMES.slice(5).join(', ')}. With --print, and without a folder, it
  shows how to export from them what is public.
  --guess proposes maps for all others, and shows what would happen. --yes imports.
  --map and --map-file say it exactly, and can be repeated:
  --map "FILE=kind:field=column,field=column@ms,field='text for all lines',skip=column[from:skip]"
kind is ${KINDS.join(', ')}. Columns that are not mapped
keep their name if it is a known field. A text for all lines is in single quotes;
then put the whole argument in double quotes for the shell.

Export only what every viewer may see: feeds show every item that is not hidden.
docs/import/presets.md and docs/import/maps.md explain it.`;

function fieldList(contents: FieldNames | string): string {
  if (typeof contents === 'string') return contents;
  const { required, optional } = contents;
  return required.join(', ') + (optional.length === 0 ? '' : ` [${optional.join(', ')}]`);
}
