import { expect, test } from 'bun:test';
import { openTestServer } from '../../support/service.ts';
import { KEY } from '../support.ts';

test('preferences beyond the limits of the state are refused with 507, and less is always possible', async () => {
  const limits = { users_with_preferences: 2, preferences_bytes: 400 };
  await using server = await openTestServer({ opening: { limits } });
  const put = async (user_id: string, body: object) => {
    const { status, body: answer } = await server.call(
      'PUT',
      `/v2/farcaster/users/${user_id}/preferences`,
      body,
      KEY,
    );
    return status === 200 ? 200 : [status, answer.detail.split(' (')[0]];
  };
  const full = (what: string) => [507, `the state can hold no more ${what}`];
  const muting = (length: number) => ({ muted: { channels: ['c'.repeat(length)] } });
  expect(await put('ann', muting(100))).toBe(200);
  expect(await put('bob', muting(180))).toEqual(full('bytes of preferences'));
  expect(await put('bob', muting(50))).toBe(200);
  expect(await put('cat', muting(1))).toEqual(full('users with preferences'));
  expect(await put('cat', {})).toBe(200);
  expect(await put('ann', muting(100))).toBe(200);
  expect(await put('ann', muting(180))).toEqual(full('bytes of preferences'));
  expect(await put('ann', {})).toBe(200);
  expect(await put('cat', muting(100))).toBe(200);
  expect(await put('ann', muting(1))).toEqual(full('users with preferences'));
  await server.service.ingest.deleteUser('cat');
  expect(await put('ann', muting(100))).toBe(200);
});

test('preferences that only name erased users can be replaced by none', async () => {
  await using server = await openTestServer({ opening: { limits: { users_with_preferences: 1 } } });
  const put = async (user_id: string, authors: string[]) => {
    const path = `/v2/farcaster/users/${user_id}/preferences`;
    return (await server.call('PUT', path, { muted: { authors } }, KEY)).status;
  };
  expect(await put('ann', ['dan'])).toBe(200);
  await server.service.ingest.deleteUser('dan');
  expect(await put('bob', ['ann'])).toBe(507);
  expect(await put('ann', [])).toBe(200);
  expect(await put('bob', ['ann'])).toBe(200);
});
