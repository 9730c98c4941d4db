import { median, quantile } from '../../src/statistics.ts';
import { API_KEY, type Server } from './children.ts';
import { connected, type Run, ratios } from './context.ts';
import { type Driver, keptUp } from './load.ts';
import { feedPath, PAGE_LENGTH, Viewers } from './requests.ts';
import { totalsOf, warmedUp } from './totals.ts';
import { communityOf } from './worlds.ts';

/** A checkpoint is due at once, and neighbour lists are stored beside it. */
const CHECKPOINT_AT_ONCE = ['--checkpoint-changes', '1', '--checkpoint-seconds', '1'];
const WRITTEN = 'feedloom_checkpoints_written{community="content"}';
const ASKED_EVERY_MS = 100;
/** The number of viewers whose first pages are compared with their later ones. */
const COMPARED_VIEWERS = 300;
const ROUNDS = 3;

/** Pages under load in one phase of a service. */
interface Phase {
  p99_ms: number;
  per_s: number;
  /** The items of the compared viewers' pages. */
  pages: string[][];
}

/**
 * Measures pages right after a start with a checkpoint, under load from the first moment, beside pages of the same
 * service when it is warm: `first_pages_p99_ratio` and `first_pages_common`.
 * @param data data folder of a copy of the world without a checkpoint
 */
export async function measureFirstPages(run: Run, data: string): Promise<void> {
  const { children, progress, results, world } = run;
  const viewers = new Viewers(communityOf(world.size));
  const next = viewers.unseen('for-you', {});
  const per_s = (await peakAfterCheckpoint(run, data, next)) / 2;
  progress.begin('first pages after a start', ROUNDS);
  const first: Phase[] = [];
  const warm: Phase[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const service = await children.service(data);
    const driver = await connected(service);
    const user_ids = viewers.user_ids.slice(round * COMPARED_VIEWERS, (round + 1) * COMPARED_VIEWERS);
    const phase = () =>
      underLoad(service, driver, { per_s, duration_ms: 2 * world.effort.turn_ms, next, user_ids });
    first.push(await phase());
    await warmedUp(service.address, progress);
    await driver.full(world.effort.warm_up_ms, next);
    warm.push(await phase());
    driver.close();
    await service.kill();
    progress.advance();
  }
  results.set('first_pages_p99_ratio', median(ratios(first.map(p99), warm.map(p99))));
  results.set(
    'first_pages_common',
    median(first.map(({ pages }, round) => common(pages, warm[round].pages))),
  );
  results.note(`for-you right after a start, at ${Math.round(per_s)} requests/s`, [
    ['p99', `${median(first.map(p99)).toFixed(2)} ms`],
    ['p99 when warm', `${median(warm.map(p99)).toFixed(2)} ms`],
    keptUp(
      first.map((phase) => phase.per_s),
      per_s,
    ),
  ]);
}

const p99 = ({ p99_ms }: Phase): number => p99_ms;

/** Has a service write a checkpoint with all neighbour lists. @returns its peak rate of pages, in requests per second */
async function peakAfterCheckpoint(
  { children, progress, world }: Run,
  data: string,
  next: () => string,
): Promise<number> {
  const service = await children.service(data, CHECKPOINT_AT_ONCE);
  await warmedUp(service.address, progress);
  progress.begin('a checkpoint with neighbour lists', 1);
  await untilWritten(service);
  const driver = await connected(service);
  await driver.full(world.effort.warm_up_ms, next);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.push((await driver.full(world.effort.turn_ms, next)).per_s);
  }
  driver.close();
  await service.stop();
  return median(rates);
}

/** @throws Error if the service does not count checkpoints */
async function untilWritten({ address }: Server): Promise<void> {
  for (;;) {
    const written = (await totalsOf(address)).get(WRITTEN);
    if (written === undefined) throw new Error(`there is no metric ${WRITTEN}`);
    if (written > 0) return;
    await Bun.sleep(ASKED_EVERY_MS);
  }
}

/** Sends paced load, and asks for the pages of some viewers at the same time. */
async function underLoad(
  service: Server,
  driver: Driver,
  load: { per_s: number; duration_ms: number; next: () => string; user_ids: readonly string[] },
): Promise<Phase> {
  const [{ latencies_ms, per_s }, pages] = await Promise.all([
    driver.paced(load.duration_ms, load.per_s, load.next),
    pagesOf(service, load.user_ids),
  ]);
  return { p99_ms: quantile(latencies_ms, 0.99), per_s, pages };
}

/** One page after another. @returns the items of each page */
async function pagesOf({ address }: Server, user_ids: readonly string[]): Promise<string[][]> {
  const pages: string[][] = [];
  for (const user_id of user_ids) {
    const response = await fetch(address + feedPath('for-you'), {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id, top_k: PAGE_LENGTH, seed: 1 }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`answered ${response.status}: ${text}`);
    const { body }: { body: { item_id: string }[] } = JSON.parse(text);
    pages.push(body.map(({ item_id }) => item_id));
  }
  return pages;
}

/** The share of the items of `later` pages that the `first` pages of the same viewers had too. */
function common(first: readonly string[][], later: readonly string[][]): number {
  let found = 0;
  let items = 0;
  for (const [at, page] of later.entries()) {
    const shown = new Set(first[at]);
    found += page.filter((item_id) => shown.has(item_id)).length;
    items += page.length;
  }
  return found / items;
}
