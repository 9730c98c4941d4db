import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { START } from '../../support/service.ts';
import { LoggedCommunity } from '../logged-community.ts';
import { type Fields, feedPath, KEY } from '../support.ts';

const PATH = '/v2/farcaster/impressions';

async function shownTo(
  community: LoggedCommunity,
  user_id: string,
  fields: Fields = {},
): Promise<{ page_id: string; items: string }> {
  const { body, page_id } = await community.answer({ user_id, ...fields });
  return { page_id, items: body.map(({ item_id }: { item_id: string }) => item_id).join('') };
}

/** A report that must be accepted. @returns the number of recorded items, and the warnings */
async function reported({ server }: LoggedCommunity, body: unknown): Promise<[number, string[] | undefined]> {
  const answer = await server.post(PATH, body);
  expect(answer.status).toBe(200);
  return [answer.body.recorded, answer.body.warnings];
}

async function refused({ server }: LoggedCommunity, body: unknown, headers: Record<string, string> = KEY) {
  const { status, body: problem } = await server.call('POST', PATH, body, headers);
  return [status, problem.code, problem.errors?.[0].path];
}

async function tokenOf({ server }: LoggedCommunity, user_id: string): Promise<Record<string, string>> {
  const { body } = await server.post('/api/tokens', { user_id, ttl_seconds: 60 });
  return { authorization: `Bearer ${body.token}` };
}

test('reported items are not shown again, and the viewer gets no user record', async () => {
  await using community = await LoggedCommunity.filled();
  const { page_id, items } = await shownTo(community, 'v', { mark_seen: false, impression_count: 5 });
  expect(items).toBe('edcba');
  expect(await reported(community, { user_id: 'v', item_ids: ['e', 'c'], page_id })).toEqual([2, undefined]);
  expect((await shownTo(community, 'v')).items).toBe('dba');
  expect((await shownTo(community, 'w')).items).toBe('edcba');
  expect(community.server.service.state.users.names.find('v')).toBe(-1);
});

test('a report that is sent again changes nothing, and further items of its page are added', async () => {
  await using community = await LoggedCommunity.filled();
  const { page_id } = await shownTo(community, 'v', { mark_seen: false });
  const { seen } = community.server.service;
  const row = () => seen.read(seen.viewerOf('v'));
  for (const report of [
    { user_id: 'v', item_ids: ['e'], page_id },
    { user_id: 'v', item_ids: ['a'] },
    { user_id: 'v', item_ids: ['b'], timestamp: START - 100 },
    { user_id: 'v', item_ids: ['c'], feed_id: 'feed_7' },
  ]) {
    expect(await reported(community, report)).toEqual([1, undefined]);
    const { number } = await row();
    expect(await reported(community, [report, report])).toEqual([0, undefined]);
    expect((await row()).number).toBe(number);
  }
  expect(await reported(community, { user_id: 'v', item_ids: ['d', 'e', 'd'], page_id })).toEqual([
    1,
    undefined,
  ]);
  expect((await row()).pages.map(({ feed, time, keys }) => [feed, time, ...keys])).toEqual([
    [0, START, 4],
    [0, START, 0],
    [0, START - 100, 1],
    [7, START, 2],
    [0, START, 3],
  ]);
});

test('a page with mark_seen false counts as shown when it is reported, once for each item', async () => {
  await using community = await LoggedCommunity.filled();
  const { page_id } = await shownTo(community, 'v', { mark_seen: false });
  const { page_id: logged } = await shownTo(community, 'w', { top_k: 2 });
  expect(await community.timesShown('e')).toBe(1);
  for (const item_ids of [['e'], ['e', 'a'], ['a']])
    await reported(community, { user_id: 'v', item_ids, page_id });
  await reported(community, { user_id: 'w', item_ids: ['e', 'd'], page_id: logged });
  expect(await community.timesShown('e')).toBe(2);
  expect([await community.timesShown('a'), await community.timesShown('d')]).toEqual([1, 1]);
});

test('unknown items and items that were not on the page are left out and named', async () => {
  await using community = await LoggedCommunity.filled();
  const { page_id, items } = await shownTo(community, 'v', { top_k: 2 });
  expect(items).toBe('ed');
  const [recorded, warnings] = await reported(community, {
    user_id: 'v',
    item_ids: ['e', 'a', 'x'],
    page_id,
    mood: 1,
  });
  expect([recorded, warnings]).toEqual([
    1,
    [
      "unknown field 'mood' was ignored",
      "item_ids: 'x' were left out, because they are unknown",
      "item_ids: 'a' were left out, because they are not on the page of the page_id; report them with their own page_id or with none",
    ],
  ]);
});

describe('a viewer token', () => {
  test('reports for its own viewer without naming them, and for no other', async () => {
    await using community = await LoggedCommunity.filled();
    const token = await tokenOf(community, 'v');
    const report = (body: unknown) => community.server.call('POST', PATH, body, token);
    expect((await report({ item_ids: ['e'] })).body.recorded).toBe(1);
    expect((await shownTo(community, 'v')).items).toBe('dcba');
    expect(await refused(community, { user_id: 'w', item_ids: ['e'] }, token)).toEqual([
      403,
      'forbidden',
      undefined,
    ]);
    expect((await shownTo(community, 'w')).items).toBe('edcba');
  });
});

test('faults are refused with their places, and nothing of the body is recorded', async () => {
  await using community = await LoggedCommunity.filled();
  const good = { user_id: 'v', item_ids: ['e'] };
  const cases: [unknown, string][] = [
    [{ item_ids: ['e'] }, '/user_id'],
    [[good, { user_id: 'v' }], '/1/item_ids'],
    [[good, 'text'], '/1'],
    [{ ...good, item_ids: [] }, '/item_ids'],
    [{ ...good, item_ids: Array(501).fill('e') }, '/item_ids'],
    [{ ...good, item_ids: ['e', ''] }, '/item_ids/1'],
    [{ ...good, timestamp: START - 86_401 }, '/timestamp'],
    [{ ...good, timestamp: START + 61 }, '/timestamp'],
    [Array(101).fill(good), ''],
  ];
  for (const [body, path] of cases)
    expect(await refused(community, body)).toEqual([400, 'invalid_value', path]);
  expect((await shownTo(community, 'v')).items).toBe('edcba');
});

test('the page of another viewer, a page of yesterday and an altered page_id are invalid', async () => {
  await using community = await LoggedCommunity.filled();
  const { page_id } = await shownTo(community, 'v', { mark_seen: false });
  const refusal = (fields: Fields) =>
    refused(community, { user_id: 'v', item_ids: ['e'], page_id, ...fields });
  const invalid = [400, 'page_invalid', undefined];
  expect(await refusal({ user_id: 'w' })).toEqual(invalid);
  const { cursor } = (await community.server.post(feedPath('popular'), { user_id: 'v', top_k: 2 })).body;
  expect(await refusal({ page_id: cursor })).toEqual(invalid);
  const position = fc.nat(page_id.length - 1);
  const character = fc.constantFrom(...'ABCabc019-_=+ ');
  await checkAsync(60, [position, character, fc.boolean()], async (at, written, cut) => {
    const altered = cut ? page_id.slice(0, at) : page_id.slice(0, at) + written + page_id.slice(at + 1);
    if (altered !== page_id) expect(await refusal({ page_id: altered })).toEqual(invalid);
  });
  const { body } = await community.server.post(PATH, [{ user_id: 'w', item_ids: ['e'], page_id }]);
  expect(body.detail).toStartWith('/0/page_id: it is damaged, or it belongs to a page of another viewer');
  community.server.clock.advance(86_400);
  expect((await reported(community, { user_id: 'v', item_ids: ['e'], page_id }))[0]).toBe(1);
  community.server.clock.advance(1);
  expect(await refusal({})).toEqual(invalid);
  expect((await shownTo(community, 'v')).items).toBe('dcba');
});

test('a new viewer counts as a record of the quota, and over it nothing is recorded', async () => {
  await using community = await LoggedCommunity.filled({ settings: { quota_records_per_day: 7 } });
  const report = (...viewers: string[]) => viewers.map((user_id) => ({ user_id, item_ids: ['e'] }));
  expect(await reported(community, report('v'))).toEqual([1, undefined]);
  expect(await reported(community, report('v'))).toEqual([0, undefined]);
  expect(await refused(community, report('v', 'w', 'x'))).toEqual([403, 'quota_exceeded', undefined]);
  expect((await shownTo(community, 'w')).items).toBe('edcba');
  expect(await reported(community, report('w'))).toEqual([1, undefined]);
});

test('the first recorded page of a viewer counts as a record, and over the quota pages are sent with a warning', async () => {
  await using community = await LoggedCommunity.filled({ settings: { quota_records_per_day: 6 } });
  const page = async (user_id: string) => {
    const fields = { user_id, top_k: 2, impression_count: 2 };
    const { status, body } = await community.server.post(feedPath('popular'), fields);
    const items = body.body.map(({ item_id }: { item_id: string }) => item_id).join('');
    return [status, items, body.warnings?.[0].slice(0, 72)];
  };
  expect([await page('v'), await page('v')]).toEqual([
    [200, 'ed', undefined],
    [200, 'cb', undefined],
  ]);
  const warning = 'these items are not recorded as seen and may be shown again: 1 records a';
  expect([await page('w'), await page('w')]).toEqual(Array(2).fill([200, 'ed', warning]));
  community.server.clock.advance(86_400);
  expect([(await page('w'))[1], (await page('w'))[1]]).toEqual(['ed', 'cb']);
});

test('reports of one viewer at once are all recorded', async () => {
  await using community = await LoggedCommunity.filled();
  const reports = [...'abcde'].map((item_id) => reported(community, { user_id: 'v', item_ids: [item_id] }));
  expect((await Promise.all(reports)).map(([recorded]) => recorded)).toEqual([1, 1, 1, 1, 1]);
  expect((await shownTo(community, 'v')).items).toBe('');
});
