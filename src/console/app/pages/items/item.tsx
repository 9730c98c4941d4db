import { useState } from 'preact/hooks';
import type { ListedItem, StoredItem } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, may } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { readItem } from '../../ui/finders.ts';
import { Confirm } from '../../ui/form.tsx';
import { Switch } from '../../ui/inputs.tsx';
import { ItemPost } from '../../ui/item-post.tsx';
import { Facts, Scores, Section } from '../../ui/layout.tsx';
import { setHidden } from '../../ui/moderation.ts';
import { Back, Metadata } from '../../ui/records.tsx';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { channelName, languageName } from '../../ui/texts.ts';
import { tell } from '../../ui/toast.tsx';
import { useUserNames } from '../../ui/users.ts';
import { ItemCounts } from './item-counts.tsx';
import { SimilarPosts, WhoActed } from './related.tsx';

/** What moderators can do with an item. @param onChange called after a change */
function ItemActions(props: { listed: ListedItem; onChange: () => void }) {
  const { listed, onChange } = props;
  const { item_id, item } = listed;
  const [is_deleting, setDeleting] = useState(false);
  const remove = async (): Promise<void> => {
    await api().deleteItem(item_id);
    tell('The post is deleted.');
    goTo(['posts']);
  };
  return (
    <div class="record-actions">
      {may('config:write') && (
        <ButtonLink href={linkTo(['why'], { item: item_id })}>Why on a page?</ButtonLink>
      )}
      <Switch
        text="Hide from all feeds"
        value={item?.hidden === true}
        onChange={(next) => void setHidden('item', item_id, next, onChange)}
      />
      <Button kind="danger" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      {is_deleting && (
        <Confirm title="Delete this post" action="Delete" onClose={() => setDeleting(false)} work={remove}>
          <code>{item_id}</code> leaves every feed at once. This cannot be undone. To keep it for later, hide
          it instead.
        </Confirm>
      )}
    </div>
  );
}

export function Item({ item_id }: { item_id: string }) {
  const listed = useResource(async (signal) => (await readItem(item_id, signal)) ?? null, [item_id]);
  return (
    <>
      <Back page="posts" to="All posts" />
      <Loaded resource={listed} lines={8}>
        {(found) =>
          found === null || found.item === null ? (
            <Empty title="There is no such post">
              <p>
                <code>{item_id}</code> is unknown or was deleted.
              </p>
            </Empty>
          ) : (
            <Known listed={found} item={found.item} onChange={listed.reload} />
          )
        }
      </Loaded>
    </>
  );
}

function Known({ listed, item, onChange }: { listed: ListedItem; item: StoredItem; onChange: () => void }) {
  const { item_id, created_at, ai_labels } = item;
  return (
    <>
      <div class="head">
        <div class="title">
          <h1>Post</h1>
          <small>
            <code>{item_id}</code>
          </small>
        </div>
        <ItemActions listed={listed} onChange={onChange} />
      </div>
      <div class="columns">
        <div>
          <ItemPost listed={listed} />
          <About item={item} />
          <Labels labels={ai_labels ?? {}} />
          <SimilarPosts item_id={item_id} />
        </div>
        <div>
          <ItemCounts item_id={item_id} created_at={created_at} />
          <WhoActed item_id={item_id} />
        </div>
      </div>
    </>
  );
}

function About({ item }: { item: StoredItem }) {
  const { channel, language, parent_item_id, root_item_id, publication_types, metadata } = item;
  const mentioned = (item.mentioned_profiles ?? []).map(String);
  const nameOf = useUserNames(mentioned);
  const post = (id: string | number | null | undefined) =>
    id && <a href={linkTo(['posts', `${id}`])}>{id}</a>;
  return (
    <section class="record" aria-label="About it">
      <Facts
        facts={[
          [
            'Channel',
            channel && <a href={linkTo(['posts'], { by: 'channel', q: channel })}>{channelName(channel)}</a>,
          ],
          ['Language', language && languageName(language)],
          ['Kinds', publication_types?.join(', ')],
          ['Hashtags', item.tags?.map((tag) => `#${tag}`).join(' ')],
          ['Linked pages', item.link_titles?.join(' · ')],
          ['Pictures show', item.alt_texts?.join(' · ')],
          ['App', item.app_fid?.toString()],
          ['Place', item.geo_location],
          ['Reply to', post(parent_item_id)],
          ['Thread begins with', post(root_item_id)],
          ['Mentions', mentioned.length > 0 && <Mentions ids={mentioned} nameOf={nameOf} />],
        ]}
      />
      <Metadata metadata={metadata} />
    </section>
  );
}

function Mentions({ ids, nameOf }: { ids: readonly string[]; nameOf: (id: string) => string }) {
  return (
    <span class="people">
      {ids.map((id) => (
        <a key={id} href={linkTo(['viewers', id])}>
          {nameOf(id)}
        </a>
      ))}
    </span>
  );
}

/** Labels with their scores, highest first. */
function Labels({ labels }: { labels: Readonly<Record<string, number>> }) {
  const sorted = Object.entries(labels).sort(([, one], [, other]) => other - one);
  return (
    <Section title="Labels">
      {sorted.length === 0 && <p class="help">It has no labels.</p>}
      <Scores rows={sorted.map(([text, share]) => ({ text, share, figure: share.toFixed(2) }))} />
    </Section>
  );
}
