import { describe, expect, test } from 'bun:test';
import { DEMO_WALLET, demoNft, demoToken } from '../../../src/model/records/example-ids.ts';
import { catalogParser } from '../../../src/model/records/token.ts';
import { eventParser } from '../../../src/model/records/wallet-event.ts';
import { DEMO_WALLETS, sampleCatalog, sampleEvents } from '../../../workloads/community/wallets.ts';

const NOW = 1_764_865_269.5;
const OPTIONS = { ...DEMO_WALLETS, chain: 'base', now: NOW };
const EVENTS = [...sampleEvents(OPTIONS)];
const CATALOG = [...sampleCatalog(OPTIONS)];

describe('sample wallets', () => {
  test('are the same at each run', () => {
    expect([...sampleEvents(OPTIONS)]).toEqual(EVENTS);
    expect([...sampleCatalog(OPTIONS)]).toEqual(CATALOG);
  });

  test('are accepted by the API, in order of time and not after now', () => {
    const [parseEvent, parseRecord] = [eventParser('base'), catalogParser('base')];
    expect(EVENTS.filter((event) => !parseEvent(event).ok)).toEqual([]);
    expect(CATALOG.filter((record) => !parseRecord(record).ok)).toEqual([]);
    const times = EVENTS.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThanOrEqual(NOW);
    expect(times[0]).toBeGreaterThanOrEqual(NOW - OPTIONS.days * 86_400);
  });

  test('give away only their holdings, and name only catalogued items', () => {
    const held = new Set<string>();
    const named = new Set(CATALOG.map(({ item_id }) => item_id));
    for (const { wallet_address, item_id, event_type } of EVENTS) {
      const pair = `${wallet_address} ${item_id}`;
      expect(named.has(item_id)).toBe(true);
      if (['sell', 'transfer', 'burn', 'list'].includes(event_type)) expect(held.has(pair)).toBe(true);
      if (['mint', 'buy', 'swap'].includes(event_type)) held.add(pair);
      if (['sell', 'transfer', 'burn'].includes(event_type)) held.delete(pair);
    }
  });

  test('are the examples of the API document', () => {
    expect(CATALOG.map(({ item_id }) => item_id)).toContain(demoToken('base'));
    expect(CATALOG.map(({ item_id }) => item_id)).toContain(demoNft('base'));
    expect(EVENTS.map(({ wallet_address }) => wallet_address)).toContain(DEMO_WALLET);
  });
});
