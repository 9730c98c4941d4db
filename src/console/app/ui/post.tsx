import { Parser } from 'htmlparser2';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FeedItem, ItemMetadata, StoredItem } from '../../../../openapi/client/src/index.ts';
import { linkTo } from '../router.ts';
import { Button } from './button.tsx';
import { LinkedText, OutLink, webUrl } from './out-link.tsx';
import { Picture } from './picture.tsx';
import { channelName, counted, shortened, sourceText } from './texts.ts';
import { Ago } from './time.tsx';

const BREAKS: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'h1', 'h2', 'h3', 'blockquote', 'tr']);
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style']);

/** What a reader of HTML sees, as plain text. */
function htmlText(html: string): string {
  let text = '';
  let unseen = 0;
  const parser = new Parser({
    onopentag(name) {
      if (UNSEEN.has(name)) unseen++;
      if (BREAKS.has(name) && text !== '' && !text.endsWith('\n')) text += '\n';
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen--;
    },
    ontext(part) {
      if (unseen === 0) text += part;
    },
  });
  parser.end(html);
  return text.trim();
}

/** Longer texts are cut until the reader asks for the rest. */
const TEXT_CHARACTERS_MAX = 420;

type Metadata = Pick<
  ItemMetadata,
  | 'text'
  | 'text_format'
  | 'embed_items'
  | 'timestamp'
  | 'root_parent_url'
  | 'publication_types'
  | 'likes_count'
  | 'comments_count'
  | 'shares_count'
  | 'author'
>;

/** An item of a page, or a stored item by `storedPost`. */
export type PostItem = Pick<FeedItem, 'item_id'> &
  Partial<Pick<FeedItem, 'source_feed' | 'promotion_name'>> & { metadata?: Metadata };

/** A stored item as a post. @param author_name stored items have only the identifier of their author */
export function storedPost(item: StoredItem, author_name: string | null = null): PostItem {
  const author = { user_id: item.author_id, username: null, display_name: author_name, pfp_url: null };
  const { item_id, likes_count, comments_count, shares_count, created_at: timestamp } = item;
  return {
    item_id,
    metadata: {
      ...{ likes_count, comments_count, shares_count, timestamp, author },
      text: item.text ?? '',
      text_format: item.text_format === 'html' ? 'html' : undefined,
      embed_items: item.embed_items ?? [],
      root_parent_url: item.channel ?? null,
      publication_types: item.publication_types ?? [],
    },
  };
}

/** What a person reads of an item, in one line. */
export function postLine({ item_id, metadata }: PostItem): string {
  return metadata === undefined ? item_id : plainText(metadata) || '(no text)';
}

const LINE_MAX = 200;

/** The beginning of a stored item in one line. Undefined for an item that is gone. */
export function storedLine(item: StoredItem | null | undefined): string | undefined {
  return item ? postLine(storedPost(item)).slice(0, LINE_MAX) : undefined;
}

export function authorName(author: Metadata['author']): string {
  return author.display_name ?? author.username ?? author.user_id ?? 'Unknown author';
}

/** A post as readers of the feed see it. @param children actions below it */
export function Post({ item, children }: { item: PostItem; children?: ComponentChildren }) {
  const { item_id, metadata, source_feed } = item;
  return (
    <article class="post">
      {metadata === undefined ? <p class="help">There is no content to show.</p> : <Content {...metadata} />}
      <footer>
        {metadata && (
          <span>
            {counted(metadata.likes_count, 'like')} · {counted(metadata.comments_count, 'comment')} ·{' '}
            {counted(metadata.shares_count, 'share')}
          </span>
        )}
        {source_feed && (
          <span class="badge" title={source_feed}>
            {sourceText(source_feed, item.promotion_name)}
          </span>
        )}
        <a class="id" href={linkTo(['posts', item_id])} title={item_id}>
          {item_id}
        </a>
        {children}
      </footer>
    </article>
  );
}

function Content(metadata: Metadata) {
  const { author, timestamp, root_parent_url, embed_items } = metadata;
  const name = authorName(author);
  return (
    <>
      <header>
        <span class="monogram" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
        <b>{name}</b>
        {author.username !== null && author.username !== name && <small>@{author.username}</small>}
        <small>
          <Ago at={timestamp} />
        </small>
        {root_parent_url !== null && <small class="channel">{channelName(root_parent_url)}</small>}
      </header>
      <Text text={plainText(metadata)} />
      {embed_items.map((url) =>
        isPicture(url, metadata) ? (
          <Picture key={url} url={url} />
        ) : (
          <p key={url} class="embed">
            <OutLink href={url} />
          </p>
        ),
      )}
    </>
  );
}

function Text({ text }: { text: string }) {
  const [is_whole, setWhole] = useState(false);
  const is_cut = !is_whole && text.length > TEXT_CHARACTERS_MAX;
  if (text === '') return null;
  return (
    <div class="text">
      <LinkedText text={is_whole ? text : shortened(text, TEXT_CHARACTERS_MAX)} />
      {is_cut && <Button onClick={() => setWhole(true)}>Show all</Button>}
    </div>
  );
}

function plainText({ text, text_format }: Metadata): string {
  return text_format === 'html' ? htmlText(text) : text;
}

const PICTURE_FILE = /\.(jpe?g|png|gif|webp|avif)$/i;
const OTHER_FILE = /\.[a-z0-9]{2,4}$/i;

/** Whether an embedded URL is a picture: by its name, or without an extension by the type of the post. */
function isPicture(url: string, { publication_types }: Metadata): boolean {
  const path = webUrl(url)?.pathname;
  if (path === undefined) return false;
  if (PICTURE_FILE.test(path)) return true;
  return publication_types.includes('image') && !OTHER_FILE.test(path);
}
