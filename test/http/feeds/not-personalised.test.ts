import { expect, test } from 'bun:test';
import type { AnswerItem } from '../../../src/answer/item-fields.ts';
import { START } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { LoggedCommunity } from '../logged-community.ts';
import { type Community, type Fields, KEY, openCommunity } from '../support.ts';

const of = (length: number) => Array.from({ length }, (_, index) => index);

async function personalise(community: Community, personalised: boolean, user_id = 'viewer'): Promise<void> {
  const path = `/v2/farcaster/users/${user_id}/preferences`;
  const { status } = await community.server.call('PUT', path, { personalised }, KEY);
  expect(status).toBe(200);
}

/** A viewer and another one who like different music of the same fans, follow the same user, and hide the same item. */
async function openFilled(): Promise<Community> {
  const community = await openCommunity();
  for (const index of of(12))
    await community.addItem(`i${index}`, {
      author_id: `a${index % 4}`,
      channel: `c${index % 3}`,
      created_at: START - index,
    });
  for (const index of of(6)) {
    await community.act('fan', 'like', `i${index}`);
    await community.act('other fan', 'like', `i${index + 6}`);
  }
  for (const [user_id, item_id] of [
    ['viewer', 'i0'],
    ['another', 'i6'],
  ]) {
    await community.act(user_id, 'like', item_id);
    await community.act(user_id, 'share', item_id);
    await community.act(user_id, 'hide', 'i5');
    await community.follow(user_id, 'a3');
  }
  return community;
}

const page = (community: Community, user_id: string, request: Fields = {}): Promise<AnswerItem[]> =>
  community.page('for-you', { user_id, top_k: 12, show_interacted_items: true, ...request });
const interested = (items: AnswerItem[]) => items.some(({ interest_score }) => interest_score > 0);

test('pages read the acts of a viewer until personalised is false, and again when it is true', async () => {
  await using community = await openFilled();
  expect(interested(await page(community, 'viewer'))).toBe(true);
  await personalise(community, false);
  expect(interested(await page(community, 'viewer'))).toBe(false);
  expect(interested(await page(community, 'another'))).toBe(true);
  await personalise(community, true);
  expect(interested(await page(community, 'viewer'))).toBe(true);
});

test('viewers who did different things get equal pages without personalisation, by follows and hidden items', async () => {
  await using community = await openFilled();
  const pages = async () => [await page(community, 'viewer'), await page(community, 'another')];
  const [before, other_before] = await pages();
  expect(before).not.toEqual(other_before);
  for (const user_id of ['viewer', 'another']) await personalise(community, false, user_id);
  const [after, other_after] = await pages();
  expect(after).toEqual(other_after);
  expect(after.map(({ item_id }) => item_id)).not.toContain('i5');
  expect(after.some(({ affinity_score }) => affinity_score > 0)).toBe(true);
  const interacted = await page(community, 'viewer', { show_interacted_items: false });
  expect(interacted.map(({ item_id }) => item_id)).not.toContain('i0');
  const following = { filters: { author_ids: 'following' } };
  expect(new Set(await community.ids('for-you', { user_id: 'viewer', ...following }))).toEqual(
    new Set(['i3', 'i7', 'i11']),
  );
});

test('a viewer without personalisation gets the cold start feed, however much the viewer did', async () => {
  await using community = await openFilled();
  const config_id = await defaultAccount(community.server).add({ feed_type: 'popular', config: {} });
  const request = { cold_start: { feed_id: config_id, min_interactions: 1 }, explain: true };
  const reason = async () =>
    (await community.ask('for-you', { user_id: 'viewer', ...request })).body.trace.cold_start_reason;
  expect(await reason()).toBeNull();
  await personalise(community, false);
  expect(await reason()).toBe('pages of this viewer do not use what the viewer did');
});

test('pages of a viewer without personalisation are not logged for learning, also when they are reported', async () => {
  await using community = await LoggedCommunity.filled();
  for (const user_id of ['v', 'w']) await personalise(community, user_id === 'w', user_id);
  await community.answer({ user_id: 'v', top_k: 5, impression_count: 2 });
  expect(await community.timesShown('e')).toBe(0);
  for (const user_id of ['v', 'w']) {
    const { page_id } = await community.answer({
      user_id,
      top_k: 1,
      mark_seen: false,
      seen: { mode: 'show' },
    });
    const report = { user_id, page_id, item_ids: ['e'] };
    expect((await community.server.post('/v2/farcaster/impressions', report)).status).toBe(200);
  }
  expect(await community.timesShown('e')).toBe(1);
  expect((await community.answer({ user_id: 'v', top_k: 5 })).body).toHaveLength(3);
});

test('recommended users and the insight of a viewer without personalisation are not made from acts', async () => {
  await using community = await openFilled();
  const reasons = async (): Promise<string[]> => {
    const { body } = await community.server.post('/v2/farcaster/users/recommended', { user_id: 'viewer' });
    return body.body.flatMap((user: { reasons: { type: string }[] }) => user.reasons.map(({ type }) => type));
  };
  const channels = async () =>
    (await community.server.get('/v2/farcaster/users/viewer/insight')).body.channels;
  expect(await reasons()).toContain('liked_same');
  expect(await channels()).not.toEqual([]);
  await personalise(community, false);
  expect([...new Set(await reasons())].sort()).toEqual(['popular']);
  expect(await channels()).toEqual([]);
});
