import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The calls of Feedloom. Only the server makes them: it has the key, and it knows who is signed in. */

/** `POST_URL` is where your site shows a post, such as `https://forum.example/post/{item_id}`. */
const { FEEDLOOM_URL = 'http://127.0.0.1:3000', FEEDLOOM_KEY = '', POST_URL = '' } = process.env;
const ADDRESS = FEEDLOOM_URL.replace(/\/+$/, '');
const PAGE_ITEMS = 20;
const TEXT_LENGTH_MAX = 2_000;
/** The tabs, each a saved feed. The console can change them afterwards; this app goes on using them by their ids. */
const TABS = JSON.parse(readFileSync(new URL('tabs.json', import.meta.url), 'utf8'));

/** Something that went wrong, with the HTTP status and the text that the browser gets. */
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads a record from Feedloom, or sends JSON to it, and returns the answer; undefined: there is no such record. Texts of
 * the service are for the log, not for readers.
 */
async function call(path, body) {
  const url = ADDRESS + path;
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${FEEDLOOM_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  }).catch((error) => {
    console.error(`${method} ${url}: ${error.cause?.code ?? error.message}`);
    throw new Failure(503, 'The feeds cannot be reached at the moment.');
  });
  if (answer.ok) return answer.json();
  if (answer.status === 404 && body === undefined) return undefined;
  console.error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  if (answer.status === 400) throw new Failure(400, 'This was refused.');
  if ([429, 503].includes(answer.status)) throw new Failure(503, 'The feeds are busy. Try again soon.');
  throw new Failure(502, 'The feeds do not work at the moment.');
}

/** The tabs with the ids of their feeds, found by name. Feeds that are missing are saved. */
async function findTabs() {
  const { data: saved } = await call('/api/feed/configs', { limit: 1000 });
  const tabs = [];
  for (const { name, config } of TABS) {
    const known = saved.find((feed) => feed.name === name && feed.endpoint === 'feeds/for-you');
    const feed = known ?? (await call('/api/feed/config', { name, endpoint: 'feeds/for-you', config })).data;
    tabs.push({ name, feed_id: feed.config_id });
  }
  return tabs;
}

const tabs = await findTabs().catch(() => {
  console.error(
    'Is Feedloom running? FEEDLOOM_URL must be its address, and FEEDLOOM_KEY a key with all scopes.',
  );
  process.exit(1);
});

function nameOf({ display_name, username, user_id }) {
  return display_name || username || user_id;
}

/**
 * What the page needs to begin with. Feedloom answers the first 1,000 follows and the latest 100 acts of a user: the
 * button of an older like is shown as not pressed. Your own database may know all of them.
 */
export async function start(user_id) {
  const stored = await call(`/v2/community/users/${encodeURIComponent(user_id)}`);
  const { follows = [], interactions = [] } = stored ?? {};
  const liked = interactions.filter(({ event_type }) => event_type === 'like').map(({ item_id }) => item_id);
  const is_new = stored === undefined;
  return { user_id, name: nameOf({ user_id, ...stored }), is_new, tabs, liked, followed: follows };
}

/** Names of the authors of posts, by the identifiers of the posts. Hidden and unknown posts are left out. */
async function authorsOf(item_ids) {
  if (item_ids.length === 0) return new Map();
  const { items } = await call('/v2/community/records/read', { items: item_ids });
  const known = items.filter(({ hidden, item }) => !hidden && typeof item?.author_id === 'string');
  const { users } = await call('/v2/community/records/read', {
    users: known.map(({ item }) => item.author_id),
  });
  const names = new Map(users.map((user) => [user.user_id, nameOf(user)]));
  return new Map(known.map(({ item_id, item }) => [item_id, names.get(item.author_id)]));
}

/** Links of a post that are pictures, by its kind or by their endings. */
function picturesOf({ embed_items, publication_types }) {
  return embed_items.filter((link) => {
    if (!URL.canParse(link) || !/^https?:/i.test(link)) return false;
    const { pathname } = new URL(link);
    return publication_types.includes('image') || /\.(avif|gif|jpe?g|png|webp)$/i.test(pathname);
  });
}

/** A page of a tab. Nothing counts as seen yet: the browser reports what was on the screen. */
export async function readPage(user_id, { feed_id, cursor }) {
  // The key can read every feed of the account. Readers get those of the tabs.
  if (!tabs.some((tab) => tab.feed_id === feed_id)) throw new Failure(400, 'There is no such tab.');
  const {
    body,
    page_id,
    cursor: next,
  } = await call('/v2/community/feeds/for-you', {
    ...{ user_id, feed_id, cursor, top_k: PAGE_ITEMS, return_metadata: true, mark_seen: false },
  });
  const parents = body.flatMap(({ metadata }) => metadata.parent_hash ?? []);
  const replied_to = await authorsOf([...new Set(parents)]);
  const items = body.map(({ item_id, source_feed, metadata }) => ({
    item_id,
    text: metadata.text,
    is_html: metadata.text_format === 'html',
    pictures: picturesOf(metadata),
    timestamp: metadata.timestamp,
    channel: metadata.root_parent_url,
    is_reply: metadata.parent_hash !== null,
    reply_to: replied_to.get(metadata.parent_hash),
    likes: metadata.likes_count,
    comments: metadata.comments_count,
    url: POST_URL.replaceAll('{item_id}', () => encodeURIComponent(item_id)),
    author_id: metadata.author.user_id,
    author: nameOf(metadata.author),
    is_seen: source_feed.startsWith('seen:'),
  }));
  return { items, page_id, cursor: next };
}

/** Records what was on the screen: a list of `{ page_id, item_ids }`. */
export async function reportSeen(user_id, reports) {
  if (!Array.isArray(reports)) throw new Failure(400, 'A list of reports is needed.');
  // Whatever a report says, it is of this reader.
  await call(
    '/v2/community/impressions',
    reports.map((report) => ({ ...report, user_id })),
  );
  return {};
}

/** Adds or removes a like. When it is answered, the next page of the reader reflects it. */
export async function like(user_id, { item_id, liked }) {
  const action = liked ? 'add' : 'remove';
  await call('/v2/community/interactions', { user_id, item_id, event_type: 'like', action });
  return {};
}

/** Records that a post was opened: a weak sign of interest, and the post is seen. */
export async function view(user_id, { item_id }) {
  await call('/v2/community/interactions', { user_id, item_id, event_type: 'view' });
  return {};
}

export async function follow(user_id, { author_id, followed }) {
  const action = followed ? 'follow' : 'unfollow';
  await call('/v2/community/follows', { user_id, target_user_id: author_id, action });
  return {};
}

/** Stores a post and returns it as pages have it. */
export async function post(author_id, { text }) {
  if (typeof text !== 'string' || text.trim() === '' || text.length > TEXT_LENGTH_MAX)
    throw new Failure(400, `A post has 1 to ${TEXT_LENGTH_MAX} characters.`);
  const item_id = `post-${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1000);
  await call('/v2/community/items', { item_id, author_id, text, created_at: timestamp });
  return { item_id, text, timestamp, likes: 0, author_id };
}
