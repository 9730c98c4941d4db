import { expect, test } from 'bun:test';
import { forFile, START } from '../support/service.ts';
import { type Answer, only, openMixing } from './mixing-support.ts';

/** Feeds with scores that depend on a viewer with a history, and that refer to each other. */

const SCORING = { scoring: 'user_interest_all_v0.0.1' };

const mixing = await forFile(openMixing({ settings: { derived_lag_ms: 0, exploration_percent: 0 } }));
const { community } = mixing;
const items = ['a', 'b', 'c'].map((name, age) => ({
  item_id: `loud-${name}`,
  author_id: `author-${name}`,
  channel: 'loud',
  // The weakest item is the newest.
  created_at: START - 100 + age,
}));
await community.add(
  'items',
  ...items,
  { item_id: 'quiet', author_id: 'author-q', channel: 'quiet', created_at: START - 100 },
  { item_id: 'seed', author_id: 'author-s', channel: 'seed', created_at: START - 100 },
);
const likes = (item_id: string, users: readonly string[]) =>
  users.map((user_id) => ({ user_id, item_id, event_type: 'like' }));
const users = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'];
await community.add(
  'interactions',
  ...likes('seed', ['viewer', ...users]),
  ...likes('loud-a', users),
  ...likes('loud-b', users.slice(0, 4)),
  ...likes('loud-c', users.slice(0, 2)),
  ...likes('quiet', ['u6']),
);
const config = { ...only('loud'), ...SCORING };
const loud = await mixing.save('@loud', config, { endpoint: 'casts/feed/for-you' });

const scores = (page: Answer, label: string) =>
  page.items.filter(({ source_feed }) => source_feed === label).map(({ item_id, score }) => [item_id, score]);

test.each([
  ['promoted', { promotion_filters: [{ promotion_type: 'feed', promotion_name: 'ad', percent: 75 }] }],
  ['fallback', { fallback_feeds: [{}] }],
])('a %s feed scores by what it may show itself', async (kind, inner) => {
  const alone = await mixing.answer({ user_id: 'viewer', feed_id: loud, top_k: 3 }, 'for-you');
  expect(alone.ids).toEqual(['loud-a', 'loud-b', 'loud-c']);
  const own = scores(alone, 'main:@loud');
  expect(new Set(own.map(([, score]) => score)).size).toBe(3);
  const [[name, [fields]]] = Object.entries(inner);
  const request = { user_id: 'viewer', ...only('quiet'), ...SCORING, [name]: [{ ...fields, feed_id: loud }] };
  const label = kind === 'promoted' ? 'promotion:@loud' : 'fallback_main_1:@loud';
  for (const explain of [false, true]) {
    const page = await mixing.answer({ ...request, top_k: 4, explain, seed: 1 }, 'for-you');
    expect(scores(page, label)).toEqual(own);
  }
});
