import { useMemo, useState } from 'preact/hooks';
import type { StoredUser, ViewerInsight } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { ACTS } from '../../ui/acts.ts';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Metadata } from '../../ui/metadata.tsx';
import { hiddenBy } from '../../ui/moderation.ts';
import { Picture } from '../../ui/picture.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { nameOfUser, useUserNames } from '../../ui/users.ts';
import { ItemLines } from './item-lines.tsx';
import { Taste } from './taste.tsx';
import { ViewerActions } from './viewer-actions.tsx';

function Seen({ insight: { impressions, shown_items } }: { insight: ViewerInsight }) {
  const lines = useMemo(
    () => impressions.map(({ item_id, timestamp }) => ({ item_id, at: timestamp })),
    [impressions],
  );
  return (
    <section aria-label="What they saw">
      <h2>What they saw</h2>
      {lines.length === 0 ? (
        <p class="help">
          {shown_items === 0 ? 'Nothing was recorded as shown to this viewer.' : 'Nothing was shown lately.'}
        </p>
      ) : (
        <ItemLines lines={lines} />
      )}
      {shown_items > lines.length && (
        <p class="help">{shown_items.toLocaleString('en')} posts in all. The export has all of them.</p>
      )}
    </section>
  );
}

/** As many as get their names at a time. */
const SHOWN = 24;

function Follows({ user: { follows, counts } }: { user: StoredUser }) {
  const [shown, setShown] = useState(SHOWN);
  const nameOf = useUserNames(follows.slice(0, shown));
  return (
    <section aria-label="Follows">
      <h2>Follows</h2>
      {follows.length === 0 && <p class="help">This viewer follows no one.</p>}
      <ul class="people">
        {follows.slice(0, shown).map((id) => (
          <li key={id}>
            <a href={linkTo(['viewers', id])}>{nameOf(id)}</a>
          </li>
        ))}
      </ul>
      {shown < follows.length && <Button onClick={() => setShown(shown + SHOWN)}>Show more</Button>}
      {follows.length < counts.following && shown >= follows.length && (
        <p class="help">The export has the others.</p>
      )}
    </section>
  );
}

function Acts({ user: { interactions, counts } }: { user: StoredUser }) {
  const lines = useMemo(
    () =>
      interactions.map(({ item_id, event_type, timestamp }) => ({
        item_id,
        at: timestamp,
        act: ACTS[event_type],
      })),
    [interactions],
  );
  return (
    <section aria-label="What they did">
      <h2>What they did</h2>
      {lines.length === 0 ? <p class="help">Nothing so far.</p> : <ItemLines lines={lines} />}
      {lines.length > 0 && lines.length < counts.interactions && (
        <p class="help">The latest {lines.length} interactions. The export has all of them.</p>
      )}
    </section>
  );
}

const COUNT = new Intl.NumberFormat('en');

export function Viewer({ user_id }: { user_id: string }) {
  const user = useResource((signal) => api().user(user_id, { signal }), [user_id]);
  return (
    <>
      <a class="back" href={linkTo(['viewers'])}>
        All viewers
      </a>
      <Loaded resource={user} lines={8}>
        {(stored) => <Known user={stored} onChange={user.reload} />}
      </Loaded>
    </>
  );
}

function Known({ user, onChange }: { user: StoredUser; onChange: () => void }) {
  const { user_id, username } = user;
  const hidden = hiddenBy(user);
  const insight = useResource(
    (signal) => api().call('GET', '/v2/{network}/users/insight', { query: { user_id }, signal }),
    [user_id],
  );
  return (
    <>
      <div class="head">
        <div class="title">
          <h1>
            {nameOfUser(named(user))} {hidden && <span class="badge bad">{hidden}</span>}
          </h1>
          <small>
            {username && `@${username} · `}
            <code>{user_id}</code>
          </small>
        </div>
        <ViewerActions user={user} onChange={onChange} />
      </div>
      <Profile user={user} />
      <div class="columns">
        <div>
          <Loaded resource={insight}>{(data) => <Taste insight={data} />}</Loaded>
          <Follows user={user} />
        </div>
        <div>
          <Acts user={user} />
          <Loaded resource={insight}>{(data) => <Seen insight={data} />}</Loaded>
        </div>
      </div>
    </>
  );
}

/** The names of a stored user, without those that are null. */
function named({ user_id, username, display_name }: StoredUser) {
  return { user_id, username: username ?? undefined, display_name: display_name ?? undefined };
}

function Profile({ user }: { user: StoredUser }) {
  const { user_id, counts, created_at, geo_location, wallet_addresses, pfp_url, metadata } = user;
  return (
    <section class="record" aria-label="Profile">
      <dl class="record-facts">
        <Fact name="Posts">
          <a href={linkTo(['posts'], { by: 'author', q: user_id })}>{COUNT.format(counts.items)}</a>
        </Fact>
        <Fact name="Follows">{COUNT.format(counts.following)}</Fact>
        <Fact name="Followers">{COUNT.format(counts.followers)}</Fact>
        <Fact name="Interactions">{COUNT.format(counts.interactions)}</Fact>
        {created_at !== undefined && (
          <Fact name="Joined">
            <Ago at={created_at} />
          </Fact>
        )}
        {geo_location && <Fact name="Place">{geo_location}</Fact>}
        {wallet_addresses && wallet_addresses.length > 0 && (
          <Fact name="Wallets">{wallet_addresses.join(', ')}</Fact>
        )}
      </dl>
      {pfp_url && <Picture url={pfp_url} />}
      <Metadata metadata={metadata} />
    </section>
  );
}
