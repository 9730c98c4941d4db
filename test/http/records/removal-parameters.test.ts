import { expect, test } from 'bun:test';
import { token, wallet } from '../../alpha/support.ts';
import { forFile } from '../../support/service.ts';
import { openCommunity } from '../support.ts';

const V2 = '/v2/farcaster';
const EVENT = `/base/events?wallet_address=${wallet(1)}&item_id=${token(1)}&event_type=mint`;
const community = await forFile(openCommunity());
for (const id of ['by-path', 'by-query']) {
  await community.addItem(id);
  await community.add('users', { user_id: id });
}
for (const number of [1, 2]) {
  const event = { wallet_address: wallet(number), item_id: token(number), event_type: 'mint' };
  expect((await community.server.call('POST', '/base/events', event)).status).toBe(200);
}

const remove = (path: string) => community.server.remove(path);

test.each([
  [`${V2}/items/by-path`, '?timestmp=1', '/timestmp'],
  [`${V2}/items?item_id=by-query`, '&timestmp=1', '/timestmp'],
  [`${V2}/users/by-path`, '?keep_item=true', '/keep_item'],
  [`${V2}/users?user_id=by-query`, '&keep_item=true', '/keep_item'],
  [EVENT, '&timestmp=1', '/timestmp'],
  [`/base/items/${token(2)}`, '?timestmp=1', '/timestmp'],
  [`/base/wallets/${wallet(2)}`, '?timestmp=1', '/timestmp'],
])('DELETE %s removes nothing with the misspelt parameter %s', async (path, misspelt, at) => {
  const refused = await remove(path + misspelt);
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_value']);
  expect(refused.body.detail).toStartWith(`${at}: is not known here; known are `);
  expect(refused.body.detail).toContain('timestamp');
  expect((await remove(path)).status).toBe(200);
});
