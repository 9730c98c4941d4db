import { expect, test } from 'bun:test';
import { emptyDatabase } from '../support/prepared-data.ts';
import { openTestServer } from '../support/service.ts';
import { AlphaClient, eventOf, token } from './support.ts';

test('wallets have their own tables on PostgreSQL', async () => {
  const settings = { database_url: await emptyDatabase() };
  const first = await openTestServer({ settings });
  const alpha = new AlphaClient(first);
  await alpha.events(eventOf(1, token(1), 'mint'));
  await alpha.items({ item_id: token(1), name: 'One' });
  const { body } = await alpha.popular();
  expect(body.items[0].metadata.name).toBe('One');
  await first.close();
  await using second = await openTestServer({ settings });
  expect((await new AlphaClient(second).popular()).body).toEqual(body);
  expect(second.service.state.users.size).toBe(0);
});
