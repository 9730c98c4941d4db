import { expect, test } from 'bun:test';
import { openCommunity } from '../support.ts';

test('the costs of plugins count the pages that used them, and the time of those that are measured', async () => {
  await using community = await openCommunity();
  const read = async () => {
    const { status, body } = await community.server.get('/api/metrics/plugins');
    expect(status).toBe(200);
    return body.data;
  };
  expect(await read()).toEqual([]);
  await community.addItem('one');
  await community.page('popular', { filters: { languages: ['en'] } });
  await community.page('popular', {});
  const costs = await read();
  const scoring = { community: 'content', kind: 'scoring_functions', id: 'popular_v0.0.1', pages: 2 };
  expect(costs).toContainEqual({ ...scoring, milliseconds: expect.any(Number) });
  const filter = { community: 'content', kind: 'filters', id: 'languages', pages: 1 };
  expect(costs).toContainEqual({ ...filter, milliseconds: null });
});
