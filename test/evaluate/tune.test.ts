import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../cli/run.ts';
import { type Files, jsonl, withFolder, writeFiles } from '../interchange/support.ts';
import { plantedActs, plantedReplay } from './planted.ts';
import { actsCsv, evaluated, type JsonRow } from './support.ts';

/** A feed that shows everybody the same. In the planted community each user likes what others of a group like. */
const POPULAR = {
  config_id: 'feed_1',
  name: 'Popular',
  revision: 7,
  config: { scoring: { name: 'weighted_v0.0.1', options: { weights: { popular: 1 } } }, time_decay: 'low' },
};
const GOOD = { config_id: 'feed_2', name: 'Good', config: { scoring: 'user_interest_all_v0.0.1' } };
const TRENDING = { config_id: 'feed_3', name: 'Trending', endpoint: 'feeds/trending', config: {} };
const FILES: Files = { ...plantedReplay(), 'feeds.jsonl': jsonl([POPULAR, GOOD, TRENDING]) };

interface Tuned {
  protocol: string;
  rows: JsonRow[];
  patch: { config_id: string; config: Record<string, unknown> } | null;
  verdict: string;
}

/** Runs `feedloom tune --json`, and checks that the folder stays as it is. */
function tuned(files: Files, ...args: string[]): Promise<Tuned & { stdout: string }> {
  return withFolder({}, async (folder) => {
    const data = join(folder, 'data');
    writeFiles(data, files);
    const { code, stdout, stderr } = await run('tune', '--data', data, '--json', '--top-k', '10', ...args);
    if (code !== 0) throw new Error(`tune ended with ${code}: ${stderr}`);
    expect(readdirSync(data).sort()).toEqual(Object.keys(files).sort());
    expect(readFileSync(join(data, 'feeds.jsonl'), 'utf8')).toBe(String(files['feeds.jsonl']));
    return { ...(JSON.parse(stdout) as Tuned), stdout: stdout.replaceAll(folder, '') };
  });
}

describe('feedloom tune', () => {
  test('tune proposes weights with which a feed finds more in the last third, and the patch makes that feed', async () => {
    const { protocol, rows, patch, verdict } = await tuned(FILES, '--feed', 'feed_1', '--sample', '100');
    expect(protocol).toBe('tune');
    expect(rows.map(({ name }) => name)).toEqual(['feed_1', 'feed_1 changed']);
    const [before, after] = rows;
    expect(after.hit_rate).toBeGreaterThan((before.hit_rate ?? 1) + 0.1);
    expect(after.hit_rate_ci).toBeArrayOfSize(2);
    expect(verdict).toMatch(/^feed_1 changed finds more of what people did next than feed_1: \+\.\d+ \(\+/);
    expect(patch?.config_id).toBe('feed_1');
    const { scoring, ...others } = patch?.config ?? {};
    expect(Object.keys(others).filter((key) => key !== 'time_decay')).toEqual([]);
    expect(JSON.stringify(scoring)).toMatch(
      /^\{"name":"weighted_v0\.0\.1","options":\{"weights":\{"\w+":[\d.]+[,}]/,
    );
    const config = Object.entries({ ...POPULAR.config, ...patch?.config }).filter(
      ([, value]) => value !== null,
    );
    const changed = { ...POPULAR, config_id: 'feed_4', config: Object.fromEntries(config) };
    const files = { ...FILES, 'feeds.jsonl': jsonl([POPULAR, changed]) };
    const again = await evaluated(files, 'replay', '--feed', 'feed_4,feed_1', '--top-k', '10');
    expect(again.verdict).toMatch(/^feed_4 finds more of what people did next than feed_1: /);
  });

  test('tune gives the same proposal for a seed, and keeps a feed unless a change is better in the last third', async () => {
    const asked = ['--feed', 'feed_2', '--seed', '2', '--sample', '30'];
    const { stdout, patch, rows, verdict } = await tuned(FILES, ...asked);
    expect((await tuned(FILES, ...asked)).stdout).toBe(stdout);
    if (patch === null) expect(verdict).toStartWith('Keep feed_2 as it is: ');
    else expect(rows[1].hit_rate).toBeGreaterThanOrEqual(rows[0].hit_rate ?? 1);
  });

  test('tune keeps a feed if what people did is random', async () => {
    const acts = plantedActs();
    const items = acts
      .map(([, item]) => item)
      .sort((one, other) => (Bun.hash(one) < Bun.hash(other) ? -1 : 1));
    const random = acts.map(([user], at): [string, string, number] => [
      user,
      items[(at * 7919) % items.length],
      60 * at,
    ]);
    const { patch, verdict } = await tuned(
      { ...FILES, 'interactions.csv': actsCsv(random) },
      '--feed',
      'feed_2',
    );
    expect(patch).toBeNull();
    expect(verdict).toStartWith('Keep feed_2 as it is: ');
  });

  test('tune prints a command that changes the feed if it is the measured revision, then the verdict', async () => {
    await withFolder(FILES, async (folder) => {
      const { code, stdout, stderr } = await run(
        'tune',
        '--data',
        folder,
        '--feed',
        'feed_1',
        '--top-k',
        '10',
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Nothing was changed. This command changes the feed:');
      expect(stdout).toMatch(
        /\ncurl -X PATCH "\$URL\/api\/feed\/config\?merge=true" .*\n {2}-H 'if-match: "7"' -d '\{"config_id":"feed_1","config":\{"scoring":/,
      );
      expect(stdout.trimEnd().split('\n').at(-1)).toStartWith(
        'feed_1 changed finds more of what people did next',
      );
    });
  });

  test.each<[string, string[], string]>([
    ['no feed', [], "required option '--feed <id>'"],
    ['a feed that is not there', ['--feed', 'feed_9'], "there is no feed 'feed_9' in feeds.jsonl"],
    [
      'a feed of another type',
      ['--feed', 'feed_3'],
      "'feed_3' is a trending feed; only for-you feeds can be tuned",
    ],
    [
      'more time than it has',
      ['--feed', 'feed_1', '--minutes', '0.00001'],
      'not finished after 0.00001 minutes',
    ],
    ['events that nobody has done', ['--feed', 'feed_1', '--events', 'share'], 'has too little history'],
  ])('tune refuses %s', async (_what, args, message) => {
    await expect(tuned(FILES, ...args)).rejects.toThrow(message);
  });
});
