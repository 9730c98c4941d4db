import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { readItems } from '../../ui/items.ts';
import { storedLine } from '../../ui/post.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';

const LISTED = 10;
const PERCENT = new Intl.NumberFormat('en', { style: 'percent' });

/** Posts that are similar to a post, by their embeddings and by the people who acted on both. */
export function SimilarPosts({ item_id }: { item_id: string }) {
  const similar = useResource(
    async (signal) => {
      const query = { item_id, limit: LISTED };
      const answer = await api().call('GET', '/v2/{network}/items/similar', { query, signal });
      const found = 'items' in answer ? answer.items : [];
      const read = await readItems(
        found.map(({ item_id: id }) => id),
        signal,
      );
      return found.map((entry) => ({ ...entry, item: read.get(entry.item_id)?.item }));
    },
    [item_id],
  );
  return (
    <section aria-label="Similar posts">
      <h2>Similar posts</h2>
      <Loaded resource={similar} lines={3}>
        {(found) =>
          found.length === 0 ? (
            <p class="help">None: it has no embedding, and no one acted on it and on other posts.</p>
          ) : (
            <>
              <ol class="item-lines">
                {found.map(({ item_id: id, item, meaning, acts }) => (
                  <li key={id}>
                    <a href={linkTo(['posts', id])}>{storedLine(item) ?? id}</a>
                    <small>{partsText({ meaning, acts })}</small>
                  </li>
                ))}
              </ol>
              <p class="help">By meaning, from embeddings, and by people who acted on both posts.</p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function partsText({ meaning, acts }: Record<'meaning' | 'acts', number>): string {
  return Object.entries({ meaning, acts })
    .filter(([, share]) => share > 0)
    .map(([name, share]) => `${name} ${PERCENT.format(share)}`)
    .join(' · ');
}
