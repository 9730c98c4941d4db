import { expect, test } from 'bun:test';
import { purgeCommunity } from '../../src/community.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Lab, openLab } from './support.ts';

/** The revisions of stored versions by the number of the experiment. */
async function storedVersions({ server }: Lab): Promise<Record<number, number[]>> {
  const revisions: Record<number, number[]> = {};
  await server.service.store.replay((change) => {
    if (change.kind !== 'experiment') return;
    revisions[change.experiment] = [...(revisions[change.experiment] ?? []), change.content.revision];
  });
  return revisions;
}

test('few versions of an experiment are kept, the last one after a purge, and its results are the same after a restart', async () => {
  const data = temporaryFolder('versions');
  let lab = await openLab({ data });
  try {
    await lab.items(3);
    const { left, right } = await lab.feeds();
    const running = await lab.start(left, right);
    const stopped = await lab.start(right, left);
    const renamed = await lab.start((await lab.feeds()).left, left);
    const show = async (viewer: string) => {
      for (const feed_id of [left, right])
        await lab.page('popular', { feed_id, user_id: viewer, top_k: 2, impression_count: 2 });
      await lab.act(viewer, 'like', 'left-0');
    };
    const rename = async (id: string, count: number) => {
      for (let time = 0; time < count; time++) await lab.change(id, { name: `Name ${time}` });
    };
    await show('a');
    await rename(running, 20);
    await lab.change(running, { variants: [{ name: 'other', percent: 40 }] });
    await show('b');
    await rename(running, 100);
    await show('c');
    await rename(stopped, 3);
    await lab.change(stopped, { status: 'stopped' });
    await rename(stopped, 3);
    await rename(renamed, 1);
    const read = async () => ({
      lists: [await lab.viewers(running), await lab.viewers(stopped)],
      experiments: (await lab.call('GET')).body.data,
      totals: [await lab.totals(running), await lab.totals(stopped), await lab.totals(renamed)],
      ended: [(await lab.data(running)).ended_periods, (await lab.data(stopped)).ended_periods],
    });
    const before = await read();
    // The last two of this minute.
    expect(await storedVersions(lab)).toEqual({ 1: [121, 122], 2: [7, 8], 3: [1, 2] });
    await lab.server.close();
    lab = await openLab({ data, clock: lab.server.clock });
    expect(await read()).toEqual(before);

    await purgeCommunity(lab.server.service);
    expect(await storedVersions(lab)).toEqual({ 1: [122], 2: [8], 3: [2] });
    expect(await read()).toEqual(before);
    await lab.server.close();
    lab = await openLab({ data, clock: lab.server.clock });
    expect(await read()).toEqual(before);

    await lab.change(running, { status: 'stopped' });
    await purgeCommunity(lab.server.service);
    expect(await storedVersions(lab)).toEqual({ 1: [123], 2: [8], 3: [2] });
    expect((await lab.call('DELETE', `/${running}`)).status).toBe(200);
    expect(await lab.start(left, right)).toBe('exp_4');
  } finally {
    await lab.server.close();
  }
});
