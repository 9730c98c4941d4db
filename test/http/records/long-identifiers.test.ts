import { expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { forFile } from '../../support/service.ts';
import { type Fields, openCommunity } from '../support.ts';

/** The longest identifier, of characters that take two units of UTF-16 each. */
const LONGEST = '😀'.repeat(LIMITS.id_length_max);
const community = await forFile(openCommunity());
await community.addItem(LONGEST, {
  author_id: LONGEST,
  app_fid: LONGEST,
  channel: `https://x.org/${LONGEST}`,
});
await community.addItem('other', { author_id: 'other' });

/** A request that names an identifier in each of its parameters. */
const NAMED: [string, (id: string) => Fields][] = [
  ['author_ids', (id) => ({ filters: { author_ids: [id] } })],
  ['app_fids', (id) => ({ filters: { app_fids: [id] } })],
  [
    'promoted_items',
    (item_id) => ({
      filters: { author_ids: ['stranger'] },
      promotion_filters: [
        { promotion_type: 'items', promotion_name: item_id, promoted_items: [{ item_id }] },
      ],
    }),
  ],
];

test.each(NAMED)('the longest identifier is accepted in %s', async (_, request) => {
  expect(await community.ids('popular', request(LONGEST))).toEqual([LONGEST]);
  const { status, body } = await community.ask('popular', request(`${LONGEST}😀`));
  expect([status, body.code]).toEqual([400, 'invalid_value']);
});

test('the longest identifier is accepted for a viewer and an address', async () => {
  for (const viewer of [{ user_id: LONGEST }, { wallet_address: LONGEST }]) {
    expect((await community.ids('for-you', viewer)).toSorted()).toEqual(['other', LONGEST].toSorted());
  }
  const { status, body } = await community.ask('for-you', { wallet_address: `${LONGEST}😀` });
  expect([status, body.errors]).toEqual([
    400,
    [{ path: '/wallet_address', message: 'must be an address of 1 to 256 characters' }],
  ]);
});

test("the length of a saved feed's name is counted in characters, and invalid names are still refused", async () => {
  const create = (name: string) => community.server.post('/api/feed/config', { name });
  expect((await create(LONGEST)).status).toBe(201);
  for (const name of [`${LONGEST}😀`, '', '  ']) expect((await create(name)).status).toBe(400);
});
