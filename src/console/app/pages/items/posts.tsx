import type { ListedItem } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { ItemPost } from '../../ui/item-post.tsx';

/** Posts that were found. */
export function Posts({ items }: { items: readonly ListedItem[] }) {
  return (
    <ol class="posts item-posts" aria-label="Posts found">
      {items.map((listed) => (
        <li key={listed.item_id}>
          <ItemPost listed={listed}>
            <a href={linkTo(['posts', listed.item_id])}>Details</a>
          </ItemPost>
        </li>
      ))}
    </ol>
  );
}
