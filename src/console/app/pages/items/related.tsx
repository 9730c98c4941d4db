import { useState } from 'preact/hooks';
import { api } from '../../session.ts';
import { readItems } from '../../ui/finders.ts';
import { SelectField } from '../../ui/inputs.tsx';
import { LinkLines, Section } from '../../ui/layout.tsx';
import { storedLine } from '../../ui/post.tsx';
import { ACT_OPTIONS } from '../../ui/records.tsx';
import { usePaged, useResource } from '../../ui/resource.ts';
import { ListEnd, Loaded } from '../../ui/states.tsx';
import { percent } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';
import { useUserNames } from '../../ui/users.ts';

const SIMILAR_LISTED = 10;

/** Posts that are similar to a post, by their embeddings and by the people who acted on both. */
export function SimilarPosts({ item_id }: { item_id: string }) {
  const similar = useResource(
    async (signal) => {
      const query = { item_id, limit: SIMILAR_LISTED };
      const { items } = await api().call('GET', '/v2/{network}/items/similar', { query, signal });
      const ids = items.map(({ item_id: id }) => id);
      return { items, read: await readItems(ids, signal) };
    },
    [item_id],
  );
  return (
    <Section title="Similar posts">
      <Loaded resource={similar} lines={3}>
        {({ items, read }) =>
          items.length === 0 ? (
            <p class="help">None: it has no embedding, and no one acted on it and on other posts.</p>
          ) : (
            <>
              <LinkLines
                rows={items.map(({ item_id: id, meaning, acts }) => ({
                  ...{ path: ['posts', id], text: storedLine(read.get(id)?.item) ?? id },
                  note: partsText({ meaning, acts }),
                }))}
              />
              <p class="help">By meaning, from embeddings, and by people who acted on both posts.</p>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function partsText({ meaning, acts }: Record<'meaning' | 'acts', number>): string {
  return Object.entries({ meaning, acts })
    .filter(([, share]) => share > 0)
    .map(([name, share]) => `${name} ${percent(share)}`)
    .join(' · ');
}

/** Who liked a post, or acted on it in another way, the latest first. */
export function WhoActed({ item_id }: { item_id: string }) {
  const [event_type, setType] = useState(ACT_OPTIONS[0].value);
  const list = usePaged(
    async (cursor?: string, signal?: AbortSignal) => {
      const query = { item_id, event_type, cursor };
      const answer = await api().call('GET', '/v2/{network}/items/interactions', { query, signal });
      return { ...answer, entries: answer.interactions };
    },
    [item_id, event_type],
  );
  const nameOf = useUserNames(list.entries.map(({ user_id }) => user_id));
  return (
    <section aria-label="Who acted on it" class="over-time">
      <div class="head">
        <h2>Who acted on it</h2>
        <SelectField label="Act" hidden_label value={event_type} options={ACT_OPTIONS} onChange={setType} />
      </div>
      <LinkLines
        rows={list.entries.map(({ user_id, timestamp }) => ({
          ...{ path: ['viewers', user_id], text: nameOf(user_id), note: <Ago at={timestamp} /> },
        }))}
      />
      <ListEnd list={list} none={<p class="help">No one so far.</p>} />
    </section>
  );
}
