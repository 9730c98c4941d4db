import { expect, test } from 'bun:test';
import { ExportLog } from '../../src/interchange/export-log.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { itemOf, Scene } from '../support/scene.ts';

test('the export of a new item contains nothing of an earlier item with the same ordinal', () => {
  const scene = new Scene().item('old').act('bob', 'like', 'old').act('bob', 'comment', 'old');
  const old = itemOf(scene, 'old');
  scene.retire('old').recycle().item('new');
  expect(itemOf(scene, 'new')).toBe(old);
  const acted_at = scene.now;
  scene.act('bob', 'like', 'new');
  const state = new State();
  const log = new ExportLog(state);
  for (const change of scene.changes) {
    log.note(change);
    applyChange(state, change);
  }
  const bob = state.users.names.find('bob');
  log.finish();
  expect([...log.acts('interaction')]).toEqual([
    { user: bob, other: old, event_type: 1, time: acted_at, event_id: '' },
  ]);
});
