import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openLab } from './support.ts';

test('an act on an item that was shown before a checkpoint counts after a start from it', async () => {
  const data = temporaryFolder('checkpoint');
  const open = (clock?: Awaited<ReturnType<typeof openLab>>['server']['clock']) =>
    openLab({ data, clock, opening: { writes_checkpoints: true, timers: new ManualTimers() } });
  let lab = await open();
  try {
    await lab.items(3);
    const { left, right } = await lab.feeds();
    const id = await lab.start(left, right, {
      variants: [
        { name: 'control', feed_id: left, percent: 100 },
        { name: 'other', feed_id: right, percent: 0 },
      ],
    });
    const request = { feed_id: left, user_id: 'viewer', top_k: 1 };
    const [{ item_id }] = await lab.page('popular', { ...request, impression_count: 1 });
    await lab.server.service.checkpoints?.writeNow();
    await lab.server.close();
    lab = await open(lab.server.clock);
    expect(lab.server.service.loaded.checkpoint_seq).toBeGreaterThan(0);
    await lab.act('viewer', 'like', item_id);
    expect((await lab.totals(id)).control).toMatchObject({ viewers: 1, impressions: 1, like: 1 });
  } finally {
    await lab.server.close();
  }
});
