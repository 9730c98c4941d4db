import { useMemo } from 'preact/hooks';
import type { StoredUser, ViewerInsight } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { api, may } from '../../session.ts';
import { readItems } from '../../ui/finders.ts';
import { Facts, Head, LinkLines, People, Section } from '../../ui/layout.tsx';
import { hiddenBy } from '../../ui/moderation.ts';
import { Picture } from '../../ui/picture.tsx';
import { storedLine } from '../../ui/post.tsx';
import { ACTS, Back, Metadata } from '../../ui/records.tsx';
import { useAnswer, useResource } from '../../ui/resource.ts';
import { Loaded, useSteps } from '../../ui/states.tsx';
import { whole } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';
import { nameOfUser, useUserNames } from '../../ui/users.ts';
import { PreferencesOf } from './preferences.tsx';
import { Taste } from './taste.tsx';
import { ViewerActions } from './viewer-actions.tsx';

interface Event {
  item_id: string;
  timestamp: number;
  event_type?: keyof typeof ACTS;
}

/** As many texts as are loaded at a time. */
const TEXTS_SHOWN = 12;

/** What happened with items, a line each with the beginning of the text. */
function Events({ events }: { events: readonly Event[] }) {
  const { shown, more } = useSteps(events, TEXTS_SHOWN);
  const ids = useMemo(() => shown.map(({ item_id }) => item_id), [events, shown.length]);
  const items = useResource((signal) => readItems(ids, signal), [ids]);
  return (
    <>
      <LinkLines
        rows={shown.map(({ item_id, timestamp, event_type }) => ({
          ...{ path: ['posts', item_id], badge: event_type && ACTS[event_type] },
          text: storedLine(items.data?.get(item_id)?.item) ?? item_id,
          note: <Ago at={timestamp} />,
        }))}
      />
      {more}
    </>
  );
}

function Seen({ insight: { impressions, shown_items } }: { insight: ViewerInsight }) {
  const none =
    shown_items === 0 ? 'Nothing was recorded as shown to this viewer.' : 'Nothing was shown lately.';
  return (
    <Section title="What they saw">
      {impressions.length === 0 ? <p class="help">{none}</p> : <Events events={impressions} />}
      {shown_items > impressions.length && (
        <p class="help">{whole(shown_items)} posts in all. The export has all of them.</p>
      )}
    </Section>
  );
}

function Acts({ user: { interactions, counts } }: { user: StoredUser }) {
  const { length } = interactions;
  return (
    <Section title="What they did">
      {length === 0 ? <p class="help">Nothing so far.</p> : <Events events={interactions} />}
      {length > 0 && length < counts.interactions && (
        <p class="help">The latest {length} interactions. The export has all of them.</p>
      )}
    </Section>
  );
}

/** As many as get their names at a time. */
const NAMES_SHOWN = 24;

function Follows({ user: { follows, counts } }: { user: StoredUser }) {
  const { shown, more } = useSteps(follows, NAMES_SHOWN);
  return (
    <Section title="Follows">
      {follows.length === 0 && <p class="help">This viewer follows no one.</p>}
      <People ids={shown} nameOf={useUserNames(shown)} />
      {more}
      {!more && follows.length < counts.following && <p class="help">The export has the others.</p>}
    </Section>
  );
}

/** A viewer. Keys that may not read the stored record get the rest. */
export function Viewer({ user_id }: { user_id: string }) {
  return (
    <>
      <Back page="viewers" to="All viewers" />
      {may('ingest:write') ? <Stored user_id={user_id} /> : <Named user_id={user_id} />}
    </>
  );
}

function Stored({ user_id }: { user_id: string }) {
  const user = useResource((signal) => api().user(user_id, { signal }), [user_id]);
  return (
    <Loaded resource={user} lines={8}>
      {(stored) => <Known user={stored} onChange={user.reload} />}
    </Loaded>
  );
}

function Named({ user_id }: { user_id: string }) {
  const nameOf = useUserNames([user_id]);
  return (
    <>
      <Head title={nameOf(user_id)} />
      <Insight user_id={user_id} />
    </>
  );
}

function Known({ user, onChange }: { user: StoredUser; onChange: () => void }) {
  const { user_id, username } = user;
  const hidden = hiddenBy(user);
  return (
    <>
      <div class="head">
        <div class="title">
          <h1>
            {nameOfUser(user)} {hidden && <span class="badge bad">{hidden}</span>}
          </h1>
          <small>
            {username && `@${username} · `}
            <code>{user_id}</code>
          </small>
        </div>
        <ViewerActions user={user} onChange={onChange} />
      </div>
      <Profile user={user} />
      <Insight user_id={user_id} user={user} />
    </>
  );
}

function Insight({ user_id, user }: { user_id: string; user?: StoredUser }) {
  const insight = useAnswer('/v2/{network}/users/insight', { query: { user_id } });
  return (
    <div class="columns">
      <div>
        <Loaded resource={insight}>{(data) => <Taste insight={data} />}</Loaded>
        <PreferencesOf user_id={user_id} />
        {user && <Follows user={user} />}
      </div>
      <div>
        {user && <Acts user={user} />}
        <Loaded resource={insight}>{(data) => <Seen insight={data} />}</Loaded>
      </div>
    </div>
  );
}

function Profile({ user }: { user: StoredUser }) {
  const { user_id, counts, created_at, geo_location, wallet_addresses, pfp_url, metadata } = user;
  const written = <a href={linkTo(['posts'], { by: 'author', q: user_id })}>{whole(counts.items)}</a>;
  return (
    <section class="record" aria-label="Profile">
      <Facts
        facts={[
          ['Posts', written],
          ['Follows', whole(counts.following)],
          ['Followers', whole(counts.followers)],
          ['Interactions', whole(counts.interactions)],
          ['Joined', created_at !== undefined && <Ago at={created_at} />],
          ['Place', geo_location],
          ['Wallets', wallet_addresses?.join(', ')],
        ]}
      />
      {pfp_url && <Picture url={pfp_url} />}
      <Metadata metadata={metadata} />
    </section>
  );
}
