import { expect, test } from 'bun:test';
import { readSettings } from '../../src/settings.ts';
import type { Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { numbered, openService, serviceWith } from './support.ts';

const service = await forFile(serviceWith(...numbered('item', 30)));

const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 20, filters: {} };
const ask = (...promotion_filters: Fields[]) => service.community.ask('popular', { promotion_filters });

test('8 one promotion per feed request, feed or items', async () => {
  const picks = {
    promotion_type: 'items',
    promotion_name: 'picks',
    promoted_items: [{ item_id: 'item-05' }],
  };
  for (const one of [promotion, picks]) expect((await ask(one)).status).toBe(200);
  for (const two of [
    [promotion, picks],
    [promotion, promotion],
    [picks, picks],
  ]) {
    expect((await ask(...two)).status).toBe(400);
  }
});

test('8 several promotions need several calls', async () => {
  for (const promotion_name of ['one', 'other']) {
    const { body } = await ask({ ...promotion, promotion_name, percent: 100 });
    expect(body.body[0].source_feed).toBe(`promotion:${promotion_name}`);
  }
});

test('8 percent is typically 10 to 30; above 50 is discouraged with a warning', async () => {
  for (const percent of [10, 30, 50])
    expect((await ask({ ...promotion, percent })).body.warnings).toBeUndefined();
  for (const percent of [51, 100]) {
    const { status, body } = await ask({ ...promotion, percent });
    expect([status, body.warnings.length]).toEqual([200, 1]);
    expect(body.warnings[0]).toContain(String(percent));
  }
});

test('8 the over-fetch factor of mixing is 2.0, and tunable', async () => {
  expect(readSettings({}).overfetch_factor).toBe(2);
  expect(readSettings({ FEEDLOOM_OVERFETCH_FACTOR: '1.5' }).overfetch_factor).toBe(1.5);
});

test('8 there is no limit to the rate of requests unless one is set', async () => {
  await using other = await openService();
  const answers = await Promise.all(
    numbered('viewer', 60).map((user_id) => other.community.ask('popular', { user_id })),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});
