import type { ComponentChildren } from 'preact';
import type { ListedItem } from '../../../../openapi/client/src/index.ts';
import { linkTo } from '../router.ts';
import { hiddenBy } from './moderation.ts';
import { Post, storedPost } from './post.tsx';
import { useUserNames } from './users.ts';

/** A stored item as moderators see it: as a post, with its author, and whether it is hidden. */
export function ItemPost({ listed, children }: { listed: ListedItem; children?: ComponentChildren }) {
  const { item_id, hidden, item } = listed;
  const author_id = item?.author_id ?? null;
  const nameOf = useUserNames(author_id === null ? [] : [author_id]);
  const post = item === null ? { item_id } : storedPost(item);
  const { metadata } = post;
  const named = metadata && {
    ...metadata,
    author: { ...metadata.author, display_name: author_id && nameOf(author_id) },
  };
  return (
    <Post item={{ ...post, metadata: named }}>
      {hidden && <span class="badge bad">{hiddenText(listed)}</span>}
      {author_id !== null && <a href={linkTo(['viewers', author_id])}>Author</a>}
      {children}
    </Post>
  );
}

/** An item is hidden itself, or with its author. */
function hiddenText({ item }: ListedItem): string {
  return hiddenBy(item ?? {}) ?? 'Hidden with its author';
}
