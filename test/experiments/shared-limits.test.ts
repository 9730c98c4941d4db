import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { EXPERIMENT } from '../store/any-change.ts';
import { halves, openLab } from './support.ts';

test('running experiments of many accounts leave room for another one, and an act is stored for at most 100', async () => {
  await using lab = await openLab();
  const { experiments } = lab.server.service.state;
  for (let number = 1; number <= 90; number++) {
    const content = { ...EXPERIMENT, account: `account-${number % 5}`, feed_id: `feed_${1_000 + number}` };
    experiments.set({ kind: 'experiment', experiment: number, content, seq: 0, applied_at: lab.now });
  }
  const { left } = await lab.feeds();
  const answers = [];
  for (let count = 0; count < 6; count++) {
    const feed_id = await lab.account.add({ endpoint: 'feeds/popular' });
    answers.push(await lab.call('POST', '', halves(feed_id, left)));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 403]);
  expect(answers[5].body.detail).toStartWith(
    "5 experiments of the account 'default' are running, and 5 of an account can run at a time now",
  );
  expect(experiments.running().length).toBeLessThan(LIMITS.experiments_running_in_all_max);
});
