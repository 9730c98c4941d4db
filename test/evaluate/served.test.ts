import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/clock.ts';
import { runWith } from '../cli/run.ts';
import { writeFiles } from '../interchange/support.ts';
import {
  API_KEY,
  killAll,
  type ServiceProcess,
  startService,
} from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { actsCsv, evaluated, type PlantedAct } from './support.ts';

/** What is served right after an import and a start must be as good as what is evaluated. */

afterAll(killAll);
const folder = temporaryFolder('served');

const GROUPS = 20;
const USERS = 600;
const ITEMS_PER_GROUP = 60;
const LIKED = 30;
const HELD_OUT = 6;
const TOP_K = 20;
const SCORING = 'user_interest_all_v0.0.1';
/** The least share of the evaluated recall. */
const LEAST_SHARE = 0.97;

/** Users of twenty groups, who like some items of their own group and a few of others; some likes are held out. */
function clusteredWorld(): { known: PlantedAct[]; held_out: PlantedAct[] } {
  const random = seededRandom(11);
  const known: PlantedAct[] = [];
  const held_out: PlantedAct[] = [];
  for (let user = 0; user < USERS; user++) {
    const items = new Set<string>();
    while (items.size < LIKED) {
      const group = random() < 0.15 ? Math.floor(random() * GROUPS) : user % GROUPS;
      items.add(`g${group}-${Math.floor(random() ** 1.5 * ITEMS_PER_GROUP)}`);
    }
    for (const [index, item] of [...items].entries())
      (index < HELD_OUT ? held_out : known).push([`u${user}`, item, 0]);
  }
  return { known, held_out };
}

/** The number of requests at a time. */
const AT_ONCE = 8;

/** Recall@20 of the pages of all users, requested without a pause. */
async function servedRecall({ address }: ServiceProcess, held_out: readonly PlantedAct[]): Promise<number> {
  const relevant = Map.groupBy(held_out, ([user]) => user);
  const left = [...relevant];
  let sum = 0;
  const ask = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [user_id, acts] = next;
      const response = await fetch(`${address}/v2/farcaster/feeds/for-you`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ user_id, top_k: TOP_K, scoring: SCORING, impression_count: 0, seed: 1 }),
      });
      expect(response.status).toBe(200);
      const { body } = (await response.json()) as { body: { item_id: string }[] };
      const shown = new Set(body.map(({ item_id }) => item_id));
      sum += acts.filter(([, item]) => shown.has(item)).length / acts.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return sum / relevant.size;
}

for (const [what, changes, list_files, ofRun] of [
  ['that stored neighbour lists', '1', 1, test],
  ['that stored no checkpoint', '0', 0, longTest],
] as const)
  ofRun(`pages right after the start that follows an import ${what} find what evaluate finds`, async () => {
    const { known, held_out } = clusteredWorld();
    const [files, data] = [join(folder, `files-${changes}`), join(folder, `data-${changes}`)];
    writeFiles(files, { 'interactions.csv': actsCsv(known) });
    const env = { FEEDLOOM_CHECKPOINT_CHANGES: changes, FEEDLOOM_CHECKPOINT_SECONDS: '0' };
    expect(await runWith({ ...env, FEEDLOOM_DATA: data }, 'import', files)).toMatchObject({ code: 0 });
    expect(readdirSync(data).filter((name) => name.endsWith('.lists'))).toHaveLength(list_files);
    // Load must not lower the effort, or the result would depend on the machine.
    const service = await startService(data, {
      env: { ...env, FEEDLOOM_DERIVED_LAG_MS: '100', FEEDLOOM_LAG_MS: '0' },
    });
    const served = await servedRecall(service, held_out);
    expect(await service.stop()).toBe(0);
    const asked = ['--type', 'for-you', '--scoring', SCORING, '--top-k', String(TOP_K), '--seed', '1'];
    const { row } = await evaluated(
      { 'interactions.csv': actsCsv(known), 'test.csv': actsCsv(held_out) },
      ...['holdout', '--test', '{}/test.csv', ...asked],
    );
    const { recall = 0 } = row(SCORING);
    expect(recall).toBeGreaterThan(0.2);
    expect(served / recall).toBeGreaterThanOrEqual(LEAST_SHARE);
  });
