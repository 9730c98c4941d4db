import { expect, test } from 'bun:test';
import { SIGNALS_SCORING, SignalReader } from '../../src/evaluate/signal-reader.ts';
import { engineOn, itemOf, requestOn, Scene } from '../support/scene.ts';

test('the signals of a page are kept if its function is bound again for seen items, of which there are none', async () => {
  const scene = new Scene().item('chosen').item('other').count('chosen', 20);
  const request = requestOn(engineOn(scene.state), { viewer: 'viewer' });
  const reader = new SignalReader(['popular']);
  const bind = reader.plugin.scoring_functions?.[SIGNALS_SCORING].compile({});
  const choice = await reader.choice('chosen', async () => {
    const score = bind?.(request);
    for (const item of ['chosen', 'other']) score?.(itemOf(scene, item));
    bind?.(request);
  });
  expect(choice?.chosen.signals).toEqual([0.5]);
  expect(choice?.others).toHaveLength(1);
  // The next page has other candidates.
  expect(await reader.choice('chosen', async () => void bind?.(request))).toBeUndefined();
});
