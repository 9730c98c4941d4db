import { describe, expect, test } from 'bun:test';
import { nft, wallet } from '../alpha/support.ts';
import { run } from '../cli/run.ts';
import { withFolder } from '../interchange/support.ts';
import type { JsonRow } from './support.ts';

const START = 1_700_000_000;

type Mint = [who: number, item: number, after: number];

function csv(mints: readonly Mint[]): string {
  const rows = mints.map(([who, item, after]) => `${wallet(who)},${nft(1, item)},mint,${START + after}\n`);
  return `wallet_address,item_id,event_type,timestamp\n${rows.join('')}`;
}

async function evaluate(mints: readonly Mint[], ...args: string[]): Promise<JsonRow[]> {
  return withFolder({ 'events.csv': csv(mints) }, async (folder) => {
    const { code, stdout, stderr } = await run('evaluate', 'alpha', '--data', folder, '--json', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer = JSON.parse(stdout);
    expect(answer.protocol).toBe('alpha');
    return answer.rows;
  });
}

/**
 * Two tastes: even wallets mint items 0 to 9, odd ones 10 to 19. Each wallet mints all but one before, and that one in
 * the last fifth. The events are shuffled, because the protocol must sort them.
 */
function planted(): Mint[] {
  const past: Mint[] = [];
  const future: Mint[] = [];
  for (let who = 0; who < 20; who++) {
    for (let each = 0; each < 10; each++) {
      const item = (who % 2) * 10 + each;
      if (each === who >> 1) future.push([who, item, 100_000 + who]);
      else past.push([who, item, past.length]);
    }
  }
  // The last fifth is exactly the future: 180 and 45 events.
  for (let more = 0; more < 25; more++) future.push([0, 1, 200_000 + more]);
  return [...future, ...past];
}

describe('feedloom evaluate alpha', () => {
  test('evaluate alpha asks for known items that are new to known wallets, and finds those of similar wallets', async () => {
    const [served, ...baselines] = await evaluate(planted(), '--top-k', '1');
    expect(served).toMatchObject({ name: 'for-you', baseline: false, users: 20, recall: 1, ndcg: 1 });
    expect(served.p50_us).toBeGreaterThan(0);
    expect(baselines.map(({ name, baseline }) => [name, baseline])).toEqual([
      ['random', true],
      ['popular', true],
      ['last 6 hours', true],
      ['last-hour', true],
    ]);
    for (const { recall } of baselines) expect(recall).toBeLessThan(1);
  });

  test('evaluate alpha leaves out new wallets and new items, and fails if nothing is left', async () => {
    const known: Mint[] = [0, 1, 2, 3, 4, 5, 6, 7].map((who) => [who, who, who]);
    const only_new: Mint[] = [
      [99, 1, 100],
      [1, 99, 101],
    ];
    await withFolder({ 'events.csv': csv([...known, ...only_new]) }, async (folder) => {
      const { code, stderr } = await run('evaluate', 'alpha', '--data', folder);
      expect(code).toBe(2);
      expect(stderr).toContain('[nothing_to_evaluate]');
    });
  });

  test('evaluate alpha gives the same figures for the same seed, and splits where --split says', async () => {
    const times = (rows: JsonRow[]) => rows.map(({ p50_us, p99_us, ...row }) => row);
    const first = await evaluate(planted(), '--seed', '3', '--split', '0.5');
    expect(times(await evaluate(planted(), '--seed', '3', '--split', '0.5'))).toEqual(times(first));
    // By the 112th of 225 events, 13 wallets have minted something.
    expect(first[0].users).toBe(13);
  });

  test('evaluate alpha reports faults of the folder or of an option', async () => {
    await withFolder({ 'tokens.jsonl': '' }, async (folder) => {
      const { code, stderr } = await run('evaluate', 'alpha', '--data', folder);
      expect([code, stderr.includes('[nothing_to_evaluate]')]).toEqual([2, true]);
    });
    await withFolder({ 'events.csv': csv(planted()) }, async (folder) => {
      const refused = await run('evaluate', 'alpha', '--data', folder, '--split', '2');
      expect([refused.code, refused.stderr.includes('--split')]).toEqual([2, true]);
      const other = await run('evaluate', 'replay', '--data', folder);
      expect([other.code, other.stderr.includes('evaluate alpha')]).toEqual([2, true]);
    });
  });
});
