import { describe, expect, test } from 'bun:test';
import { CHANGES_KEPT } from '../../src/columns/change-ring.ts';
import { TrendRates } from '../../src/signals/trend-rates.ts';
import type { State } from '../../src/state/state.ts';
import { HOUR, itemOf, NOW, Scene } from '../support/scene.ts';

/** Items `a`, `b` and `c`, an hour old and liked by one user each, and the number of rate computations. */
function scene(): { scene: Scene; computed: string[] } {
  const scene = new Scene();
  for (const id of ['a', 'b', 'c'])
    scene.item(id, { created_at: NOW - HOUR }).act(`fan of ${id}`, 'like', id);
  return { scene, computed: watched(scene.state) };
}

/** The identifiers of items whose rates are computed from now on. */
function watched(state: State): string[] {
  const computed: string[] = [];
  const { trend } = state;
  const rate = trend.rate.bind(trend);
  trend.rate = (item, now) => {
    computed.push(state.items.names.id(item));
    return rate(item, now);
  };
  return computed;
}

function ask(rates: TrendRates, { state }: Scene, now: number): number[] {
  const rateOf = rates.at(now);
  return ['a', 'b', 'c'].map((id) => rateOf(state.items.names.find(id)));
}

function expected({ state }: Scene, now: number): number[] {
  return ['a', 'b', 'c'].map((id) => state.trend.rate(state.items.names.find(id), now));
}

describe('trend rates', () => {
  test('exact trend rates equal those of the state, after every change of state or time', () => {
    const { scene: here, computed } = scene();
    const rates = new TrendRates(here.state, true);
    for (let round = 0; round < 20; round++) {
      here.now += round % 3;
      here.act(`user ${round}`, 'like', round % 2 === 0 ? 'a' : 'elsewhere');
      expect(ask(rates, here, here.now)).toEqual(expected(here, here.now));
    }
    computed.length = 0;
    ask(rates, here, here.now);
    expect(computed).toEqual([]);
  });

  test('missing trend rates are not mistaken for computed ones in the first minute', () => {
    const { scene: here, computed } = scene();
    ask(new TrendRates(here.state, true), here, 0);
    ask(new TrendRates(here.state, false), here, 30);
    expect(computed).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('trend rates with lag are recomputed at once for changed items, and after a minute for others', () => {
    const { scene: here, computed } = scene();
    const rates = new TrendRates(here.state, false);
    const before = ask(rates, here, NOW);
    expect(before).toEqual(expected(here, NOW));
    computed.length = 0;
    here.act('another', 'like', 'b');
    const after = ask(rates, here, NOW + 60);
    expect(computed).toEqual(['b']);
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[1]).toBeGreaterThan(before[1]);
    ask(rates, here, NOW + 61);
    expect(computed).toEqual(['b', 'a', 'c']);
    ask(rates, here, NOW + 1);
    expect(computed).toEqual(['b', 'a', 'c']);
  });

  test('all trend rates are recomputed after more changes than the ring holds', () => {
    const { scene: here, computed } = scene();
    const rates = new TrendRates(here.state, false);
    ask(rates, here, NOW);
    computed.length = 0;
    for (let index = 0; index < CHANGES_KEPT; index++) here.state.changed.note(itemOf(here, 'a'));
    ask(rates, here, NOW);
    expect(computed).toEqual(['a']);
    here.state.changed.note(itemOf(here, 'c'));
    for (let index = 0; index < CHANGES_KEPT; index++) here.state.changed.note(itemOf(here, 'a'));
    ask(rates, here, NOW);
    expect(computed).toEqual(['a', 'a', 'b', 'c']);
  });

  test('trend rates include items that came later', () => {
    const { scene: here } = scene();
    const rates = new TrendRates(here.state, false);
    ask(rates, here, NOW);
    for (let index = 0; index < 500; index++) here.item(`new ${index}`);
    const item = itemOf(here, 'new 499');
    expect(rates.at(NOW)(item)).toBe(here.state.trend.rate(item, NOW));
  });
});
