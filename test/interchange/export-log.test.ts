import { expect, test } from 'bun:test';
import { ExportLog } from '../../src/interchange/export-log.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { itemOf, Scene } from '../support/scene.ts';

test('the export of a new item contains nothing of an earlier item with the same ordinal', () => {
  const scene = new Scene()
    .item('old')
    .show('bob', 'old')
    .act('bob', 'like', 'old')
    .act('bob', 'comment', 'old');
  const old = itemOf(scene, 'old');
  scene.retire('old').recycle().item('new');
  expect(itemOf(scene, 'new')).toBe(old);
  const shown_at = scene.now;
  scene.show('bob', 'new').show('cat', 'new').act('bob', 'like', 'new');
  const state = new State();
  const log = new ExportLog(state);
  for (const change of scene.changes) {
    log.note(change);
    applyChange(state, change);
  }
  const [bob, cat] = ['bob', 'cat'].map((id) => state.users.names.find(id));
  log.finish();
  const act = { other: old, time: shown_at, event_id: '' };
  expect([...log.acts('impression')]).toEqual([
    { ...act, user: bob, event_type: 0 },
    { ...act, user: cat, event_type: 0 },
  ]);
  expect([...log.acts('interaction')]).toEqual([{ ...act, user: bob, event_type: 1 }]);
});
