import { expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { feedPath, ingestPath, openCommunity } from '../support.ts';

const LOST = 2 ** 53;
const community = await forFile(openCommunity());
await community.add('items', {
  item_id: 11,
  author_id: 22,
  created_at: START,
  parent_item_id: 33,
  root_item_id: 44,
  app_fid: 55,
  mentioned_profiles: [66, '77'],
});

test('integers in an item record are accepted as decimal strings', async () => {
  expect(await community.stored('items', '11')).toMatchObject({
    item_id: '11',
    author_id: '22',
    parent_item_id: '33',
    root_item_id: '44',
    app_fid: '55',
    mentioned_profiles: ['66', '77'],
  });
});

test('integers name the same users and items as strings in acts, follows and blocks', async () => {
  await community.act('8', 'like', '11');
  await community.add('interactions', { user_id: 8, item_id: 11, event_type: 'share' });
  expect((await community.stored('users', '8'))?.interactions).toMatchObject([
    { item_id: '11', event_type: 'share' },
    { item_id: '11', event_type: 'like' },
  ]);
  await community.add('follows', { user_id: 8, target_user_id: 22 });
  expect(await community.stored('users', '8')).toMatchObject({ follows: ['22'] });
  await community.add('blocks', { user_id: 9, target_user_id: 22 });
  expect(await community.ids('popular', { user_id: 9 })).toEqual([]);
});

test('integers are accepted as identifiers in feed requests, filters, promotions and explanations', async () => {
  const shown = async (request: object) => (await community.ids('popular', { ...request })).join();
  expect(await shown({ filters: { author_ids: [22], app_fids: [55] } })).toBe('11');
  expect(await shown({ filters: { remove_author_ids: [22] } })).toBe('');
  expect(await shown({ user_id: 8 })).toBe('');
  const promotion = {
    promotion_type: 'items',
    promotion_name: 'picked',
    promoted_items: [{ item_id: 11, rank: 1 }],
  };
  expect(await shown({ filters: { channels: ['none'] }, promotion_filters: [promotion] })).toBe('11');
  const explained = await community.server.post(`${feedPath('popular')}/explain`, { item_id: 11 });
  expect([explained.status, explained.body.body?.item_id]).toEqual([200, '11']);
});

test.each(['item_id', 'author_id', 'parent_item_id', 'root_item_id', 'app_fid', 'mentioned_profiles'])(
  'an integer beyond 2^53-1 in %s is refused with the reason',
  async (field) => {
    const value = field === 'mentioned_profiles' ? [LOST] : LOST;
    const record = { item_id: 1, author_id: 1, created_at: START, [field]: value };
    const { status, body } = await community.server.post(ingestPath('items'), record);
    expect([status, body.rejected?.[0]?.detail]).toEqual([400, expect.stringContaining('lost digits')]);
    expect(body.rejected[0].detail).toStartWith(field);
  },
);

test.each([
  ['/user_id', { user_id: LOST }],
  ['/filters/author_ids/0', { filters: { author_ids: [LOST] } }],
  ['/filters/app_fids/0', { filters: { app_fids: [LOST] } }],
  [
    '/promotion_filters/0/promoted_items/0/item_id',
    {
      promotion_filters: [
        { promotion_type: 'items', promotion_name: 'p', promoted_items: [{ item_id: LOST }] },
      ],
    },
  ],
])('an integer beyond 2^53-1 at %s of a feed request is refused with the reason', async (path, request) => {
  const { status, body } = await community.ask('popular', request);
  expect([status, body.errors]).toEqual([400, [{ path, message: expect.stringContaining('lost digits') }]]);
});
