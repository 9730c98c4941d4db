import { expect, test } from 'bun:test';
import { openLab } from '../experiments/support.ts';
import { newAccount } from '../http/config-support.ts';
import { feedPath } from '../http/support.ts';

/** A key of another account that requests a public feed under an experiment. */

/** So many that all of them in one variant, which is drawn by a hash, is as good as impossible. */
const VIEWERS = 48;

test('another account is not part of an experiment, and does not see the private feed of a variant', async () => {
  await using lab = await openLab();
  await lab.items(2);
  const { left, right } = await lab.feeds();
  const published = await lab.account.patch({ config_id: left, visibility: 'public' });
  const hidden = await lab.account.patch({ config_id: right, visibility: 'private' });
  expect([published.status, hidden.status]).toEqual([200, 200]);
  const id = await lab.start(left, right);
  const bob = await newAccount(lab.server, 'bob');
  const ask = async (headers: Record<string, string>, name: string) => {
    const answers = [];
    for (let at = 0; at < VIEWERS; at++) {
      const request = { user_id: `${name}-${at}`, feed_id: left, top_k: 2, impression_count: 1 };
      answers.push((await lab.server.call('POST', feedPath('popular'), request, headers)).body);
    }
    return answers;
  };
  const viewers = async () => {
    const { control, other } = await lab.totals(id);
    return Number(control.viewers) + Number(other.viewers);
  };
  // The control: viewers of the account itself are split and counted.
  const own = await ask(lab.account.headers, 'viewer');
  expect(new Set(own.map(({ experiment }) => experiment?.variant))).toEqual(new Set(['control', 'other']));
  expect(await viewers()).toBe(VIEWERS);

  const foreign = await ask(bob.headers, 'ghost');
  expect(foreign.map(({ experiment }) => experiment)).toEqual(Array(VIEWERS).fill(undefined));
  const sources = foreign.flatMap(({ body }) =>
    body.map(({ source_feed }: { source_feed: string }) => source_feed),
  );
  expect(new Set(sources)).toEqual(new Set([`main:${left}`]));
  expect(await viewers()).toBe(VIEWERS);
});
