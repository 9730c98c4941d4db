import { expect, test } from 'bun:test';
import { openTestService, START } from '../support/service.ts';

/** Changes that `save` stored: one or none. */
async function saved({ service }: Awaited<ReturnType<typeof openTestService>>): Promise<number> {
  const { seq } = service.state;
  await service.ingest.trend.save();
  return service.state.seq - seq;
}

test('what has been learnt is stored when there is something new, or something to purge', async () => {
  const opened = await openTestService();
  try {
    const { ingest } = opened.service;
    const act = (user_id: string, event_type: string) =>
      ingest.ingest('interactions', [{ user_id, item_id: 'a', event_type }]);
    expect(await saved(opened)).toBe(0);
    await ingest.ingest('items', [{ item_id: 'a', author_id: 'ann', created_at: START - 60 }]);
    expect(await saved(opened)).toBe(0);
    await act('bob', 'like');
    expect(await saved(opened)).toBe(1);
    expect(await saved(opened)).toBe(0);
    await act('bob', 'view');
    expect(await saved(opened)).toBe(0);
    await ingest.deleteUser('bob');
    expect(await saved(opened)).toBe(1);
    await ingest.deleteItem('a');
    expect(await saved(opened)).toBe(1);
    expect(await saved(opened)).toBe(0);
  } finally {
    await opened.close();
  }
});
