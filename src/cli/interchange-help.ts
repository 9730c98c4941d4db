import type { Help } from 'commander';
import { FeedObjectSchema } from '../feeds/feed-object.ts';
import { FEED_ROW_FIELDS } from '../interchange/feed-file.ts';
import { type FileKind, NAMES } from '../interchange/files.ts';
import { LINE_FIELDS } from '../interchange/formats.ts';
import { KINDS } from '../mapping/kinds.ts';
import { CATALOG_FIELDS } from '../model/records/token.ts';
import type { FieldNames } from '../model/values/record.ts';

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

/** Examples for exports of other software; docs/import.md shows the files. */
const MAP_HELP = `
Files of other names and columns (FILE.csv, FILE.jsonl, FILE.ndjson; --map can be repeated):
  --map "FILE=kind:field=column,field='text for all lines',field=column[from:to]"
kind is ${KINDS.join(', ')}. Columns that are not mapped
keep their name if it is a known field. A text for all lines is in single quotes;
then put the whole argument in double quotes for the shell. [from:to,from:to]
replaces texts of a column. In CSV an empty cell is an absent field, an empty
author_id means an unknown author, and a list is JSON or texts separated by |.

Export only what every viewer may see: feeds show every item that is not hidden.
docs/import.md has whole queries, with the same condition for likes.

Discourse (users, posts and likes as CSV; posts with their topics and categories,
where posts.post_type = 1 and posts.deleted_at is null and not posts.hidden and not posts.user_deleted
and topics.archetype <> 'private_message' and topics.deleted_at is null and topics.visible
and not coalesce(categories.read_restricted, false)):
  feedloom import DIR --map "users.csv=users:user_id=id,display_name=name" \\
    --map "posts.csv=items:item_id=id,author_id=user_id,text=cooked,text_format='html',channel=category" \\
    --map "likes.csv=interactions:item_id=post_id,timestamp=created_at,event_type='like'"
Mastodon (tables of its database as CSV; statuses
where visibility = 0 and deleted_at is null and reblog_of_id is null, and boosts of these):
  feedloom import DIR --map "accounts.csv=users:user_id=id" \\
    --map "statuses.csv=items:item_id=id,author_id=account_id,parent_item_id=in_reply_to_id" \\
    --map "boosts.csv=interactions:user_id=account_id,item_id=reblog_of_id,timestamp=created_at,event_type='share'" \\
    --map "favourites.csv=interactions:user_id=account_id,item_id=status_id,timestamp=created_at,event_type='like'" \\
    --map "follows.csv=follows:user_id=account_id,target_user_id=target_account_id,timestamp=created_at" \\
    --map "blocks.csv=blocks:user_id=account_id,target_user_id=target_account_id,timestamp=created_at"
gorse (its export as JSON lines):
  feedloom import DIR --map "users.jsonl=users:user_id=UserId" \\
    --map "items.jsonl=items:item_id=ItemId,author_id='',created_at=Timestamp,text=Comment,ai_labels=Categories,hidden=IsHidden" \\
    --map "feedback.jsonl=interactions:user_id=UserId,item_id=ItemId,timestamp=Timestamp,event_type=FeedbackType[read:view,star:like]"
docs/import.md has a worked example of each.`;

function fieldList(contents: FieldNames | string): string {
  if (typeof contents === 'string') return contents;
  const { required, optional } = contents;
  return required.join(', ') + (optional.length === 0 ? '' : ` [${optional.join(', ')}]`);
}
