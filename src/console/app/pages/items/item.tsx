import { useState } from 'preact/hooks';
import type { ListedItem, StoredItem } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, may } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { nameOfChannel } from '../../ui/channel-input.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Switch } from '../../ui/inputs.tsx';
import { ItemPost } from '../../ui/item-post.tsx';
import { readItem } from '../../ui/items.ts';
import { languageName } from '../../ui/language-name.ts';
import { Metadata } from '../../ui/metadata.tsx';
import { setHidden } from '../../ui/moderation.ts';
import { useResource } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { tell } from '../../ui/toast.tsx';
import { useUserNames } from '../../ui/users.ts';
import { ItemCounts } from './item-counts.tsx';
import { SimilarPosts } from './similar-posts.tsx';
import { WhoActed } from './who-acted.tsx';

/** What moderators can do with an item. @param onChange called after a change */
function ItemActions(props: { listed: ListedItem; onChange: () => void }) {
  const { listed, onChange } = props;
  const { item_id, item } = listed;
  const [is_deleting, setDeleting] = useState(false);
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
      {is_deleting && <Deletion item_id={item_id} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function Deletion({ item_id, onClose }: { item_id: string; onClose: () => void }) {
  const remove = async (): Promise<void> => {
    await api().deleteItem(item_id);
    tell('The post is deleted.');
    goTo(['posts']);
  };
  return (
    <Confirm title="Delete this post" action="Delete" onClose={onClose} work={remove}>
      <code>{item_id}</code> leaves every feed at once. This cannot be undone. To keep it for later, hide it
      instead.
    </Confirm>
  );
}

export function Item({ item_id }: { item_id: string }) {
  const listed = useResource(async (signal) => (await readItem(item_id, signal)) ?? null, [item_id]);
  return (
    <>
      <a class="back" href={linkTo(['posts'])}>
        All posts
      </a>
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
  return (
    <>
      <div class="head">
        <div class="title">
          <h1>Post</h1>
          <small>
            <code>{item.item_id}</code>
          </small>
        </div>
        <ItemActions listed={listed} onChange={onChange} />
      </div>
      <div class="columns">
        <div>
          <ItemPost listed={listed} />
          <About item={item} />
          <Labels labels={item.ai_labels ?? {}} />
          <SimilarPosts item_id={item.item_id} />
        </div>
        <div>
          <ItemCounts item_id={item.item_id} created_at={item.created_at} />
          <WhoActed item_id={item.item_id} />
        </div>
      </div>
    </>
  );
}

function About({ item }: { item: StoredItem }) {
  const { channel, language, parent_item_id, root_item_id, publication_types, metadata } = item;
  const mentioned = (item.mentioned_profiles ?? []).map(String);
  const nameOf = useUserNames(mentioned);
  const facts: [name: string, value: string | undefined | null, href?: string][] = [
    ['Channel', channel && nameOfChannel(channel), linkTo(['posts'], { by: 'channel', q: channel ?? '' })],
    ['Language', language && languageName(language)],
    ['Kinds', publication_types?.join(', ')],
    ['App', item.app_fid?.toString()],
    ['Place', item.geo_location],
    ['Reply to', parent_item_id?.toString(), linkTo(['posts', `${parent_item_id}`])],
    ['Thread begins with', root_item_id?.toString(), linkTo(['posts', `${root_item_id}`])],
  ];
  return (
    <section class="record" aria-label="About it">
      <dl class="record-facts">
        {facts.map(
          ([name, value, href]) =>
            value && (
              <Fact key={name} name={name}>
                {href === undefined ? value : <a href={href}>{value}</a>}
              </Fact>
            ),
        )}
        {mentioned.length > 0 && (
          <div>
            <dt>Mentions</dt>
            <dd class="people">
              {mentioned.map((id) => (
                <a key={id} href={linkTo(['viewers', id])}>
                  {nameOf(id)}
                </a>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <Metadata metadata={metadata} />
    </section>
  );
}

/** Labels with their scores, highest first. */
function Labels({ labels }: { labels: Readonly<Record<string, number>> }) {
  const sorted = Object.entries(labels).sort(([, one], [, other]) => other - one);
  return (
    <section aria-label="Labels">
      <h2>Labels</h2>
      {sorted.length === 0 && <p class="help">It has no labels.</p>}
      <ul class="scores">
        {sorted.map(([label, score]) => (
          <li key={label}>
            <span>{label}</span>
            <meter min={0} max={1} value={score} aria-label={label} />
            <span class="number">{score.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
