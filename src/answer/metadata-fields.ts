import { type Static, Type } from '@sinclair/typebox';
import { EXAMPLE_IDS } from '../model/records/example-ids.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { fieldsFrom, schemasOf, writerOf } from './field.ts';
import { categorise, LabelsSchema } from './labels.ts';
import { Count, orNull, Seconds, strict, Text, Texts } from './schema-parts.ts';

/** Copies of an item's fields in the state when its page is built, and the location of its texts in the store. */
export interface ItemFacts {
  /** Seq of the change that described the item. */
  content_seq: number;
  /** Seq of the change that described its author; 0: no profile. */
  author_seq: number;
  author_id: string | null;
  created_at: number;
  likes_count: number;
  comments_count: number;
  shares_count: number;
}

/** Copies the fields of an item that its metadata needs (answer-1). */
export function factsOf(state: State, item: Ordinal): ItemFacts {
  const { items, users } = state;
  const author = items.author(item);
  return {
    content_seq: items.content_seq(item),
    author_seq: author === NONE ? 0 : users.content_seq(author),
    author_id: author === NONE ? null : users.names.id(author),
    created_at: items.created_at(item),
    likes_count: items.likes_count(item),
    comments_count: items.comments_count(item),
    shares_count: items.shares_count(item),
  };
}

export interface MetadataSource {
  facts: ItemFacts;
  /** Read from the store; undefined if it was deleted meanwhile. */
  content: ItemContent | undefined;
  author: UserContent | undefined;
  ai_label_threshold: number;
}

const field = fieldsFrom<MetadataSource>();

const AUTHOR_FIELDS = {
  user_id: field(
    orNull(Text('Identifier of the author.', EXAMPLE_IDS.followed)),
    ({ facts }) => facts.author_id,
  ),
  username: field(orNull(Text('Short name.', 'violet')), ({ author }) => author?.username ?? null),
  display_name: field(
    orNull(Text('Display name.', 'Violet V.')),
    ({ author }) => author?.display_name ?? null,
  ),
  pfp_url: field(
    orNull(Text('URL of the profile picture.', 'https://example.com/violet.png')),
    ({ author }) => author?.pfp_url ?? null,
  ),
};

const writeAuthor = writerOf<MetadataSource, typeof AUTHOR_FIELDS>(AUTHOR_FIELDS);

/** Every field of an item's metadata, in the order of the JSON. All but `text_format` are always present. */
const METADATA_FIELDS = {
  text: field(
    Text('Text of the item; empty if there is none.', 'New record out today!'),
    ({ content }) => content?.text ?? '',
  ),
  text_format: field(
    Type.Optional(
      Type.Literal('html', { description: 'Present only if the text is HTML, which is returned unchanged.' }),
    ),
    ({ content }) => content?.text_format,
  ),
  embed_items: field(
    Texts('URLs of embedded links and media.', ['https://music.example.com/a/1']),
    ({ content }) => content?.embed_items ?? [],
  ),
  timestamp: field(Seconds('Time of publication.'), ({ facts }) => Math.floor(facts.created_at)),
  root_parent_hash: field(
    orNull(Text('Identifier of the first item of its thread.', EXAMPLE_IDS.thread)),
    ({ content }) => content?.root_item_id ?? null,
  ),
  parent_hash: field(
    orNull(Text('Identifier of the item that it replies to.', EXAMPLE_IDS.thread)),
    ({ content }) => content?.parent_item_id ?? null,
  ),
  root_parent_url: field(
    orNull(Text('The channel.', 'https://example.community/channel/music')),
    ({ content }) => content?.channel ?? null,
  ),
  mentioned_profiles: field(
    Texts('Identifiers of mentioned users.', [EXAMPLE_IDS.actor]),
    ({ content }) => content?.mentioned_profiles ?? [],
  ),
  ai_labels: field(LabelsSchema, ({ content, ai_label_threshold }) =>
    categorise(content?.ai_labels, ai_label_threshold),
  ),
  app_fid: field(
    orNull(Text('App that it was posted with.', '9152')),
    ({ content }) => content?.app_fid ?? null,
  ),
  geo_location: field(
    orNull(Text('"<latitude>,<longitude>" in degrees.', '34.05,-118.24')),
    ({ content }) => content?.geo_location ?? null,
  ),
  language: field(orNull(Text('Language tag.', 'en')), ({ content }) => content?.language ?? null),
  publication_types: field(
    Texts('Kinds of content.', ['image']),
    ({ content }) => content?.publication_types ?? [],
  ),
  likes_count: field(Count('Total number of likes.', 95), ({ facts }) => facts.likes_count),
  comments_count: field(Count('Total number of comments.', 20), ({ facts }) => facts.comments_count),
  shares_count: field(Count('Total number of shares.', 8), ({ facts }) => facts.shares_count),
  author: field(strict(schemasOf(AUTHOR_FIELDS), 'Author of the item.'), writeAuthor),
  custom: field(
    Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { description: "The item's own `metadata`.", additionalProperties: true }),
    ),
    ({ content }) => content?.metadata ?? {},
  ),
};

export const ItemMetadataSchema = strict(
  schemasOf(METADATA_FIELDS),
  'Metadata of an item. Every key but `text_format` is always present.',
  'ItemMetadata',
);

export type ItemMetadata = Static<typeof ItemMetadataSchema>;

export const metadataOf = writerOf<MetadataSource, typeof METADATA_FIELDS>(METADATA_FIELDS);
