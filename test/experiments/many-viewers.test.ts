import { describe, expect, test } from 'bun:test';
import { CurrentTotals } from '../../src/experiments/current-totals.ts';
import { readResults } from '../../src/experiments/results.ts';
import { viewersCsv } from '../../src/experiments/viewers-csv.ts';
import { type Lab, openLab } from './support.ts';

const VIEWERS = 5_000;

/** A running experiment with so many viewers that reading them pauses. */
async function openCrowded(): Promise<{ lab: Lab; id: string } & AsyncDisposable> {
  const lab = await openLab();
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right);
  await addViewers(lab, left, 0, VIEWERS);
  return { lab, id, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

/** Counts a page for each of some new viewers. */
async function addViewers(lab: Lab, feed_id: string, from: number, until: number): Promise<void> {
  const users = Array.from({ length: until - from }, (_, at) => ({ user_id: `viewer-${from + at}` }));
  await lab.add('users', ...users);
  const { experiments, state } = lab.server.service;
  const { names } = state.users;
  for (const { user_id } of users) {
    const arm = experiments.variantOf(feed_id, user_id)?.variant.arm;
    const stamp = { kind: 'impression', seq: 0, timestamp: lab.now, applied_at: lab.now } as const;
    const user = names.key(names.find(user_id));
    state.experiments.countPage({ ...stamp, user, arm, is_short: 0, items: new Uint32Array([1]) });
  }
}

test('results are those of the ended period if the period ends while viewers are counted', async () => {
  await using crowded = await openCrowded();
  const { lab, id } = crowded;
  const { experiments, state } = lab.server.service;
  const { number, content } = experiments.read(id, 'default');
  const { period, period_started_at: started_at } = content;
  const ended = [{ period, started_at, ended_at: lab.now, variants: await experiments.totals(content) }];
  const reading = readResults(experiments, id, 'default');
  const stamp = { kind: 'experiment', seq: 0, applied_at: lab.now } as const;
  state.experiments.set({ ...stamp, experiment: number, content: { ...content, status: 'stopped', ended } });
  const { experiment, results } = await reading;
  expect([experiment.content.status, results.ended_at]).toEqual(['stopped', lab.now]);
  expect(results.variants.reduce((sum, { viewers }) => sum + viewers, 0)).toBe(VIEWERS);
});

test('viewers.csv is not completed if the period ends while it is sent', async () => {
  await using crowded = await openCrowded();
  const { lab, id } = crowded;
  const { experiments } = lab.server.service;
  const chunks = viewersCsv(experiments, experiments.read(id, 'default').content);
  await chunks.next();
  await chunks.next();
  await lab.change(id, { status: 'stopped' });
  const rest = async () => {
    for await (const _ of chunks);
  };
  const error = await rest().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'not_found', detail: 'the period ended while its viewers were read' });
});

describe('totals of a running period', () => {
  const viewersIn = (totals: Awaited<ReturnType<CurrentTotals['of']>>) =>
    totals.reduce((sum, variant) => sum + variant.totals.viewers, 0);

  test('requests that wait at the same time share one calculation, and a later one sees later viewers', async () => {
    await using crowded = await openCrowded();
    const { lab, id } = crowded;
    const { experiments, state } = lab.server.service;
    const { content } = experiments.read(id, 'default');
    const current = new CurrentTotals(state, () => 0);
    const [one, other] = await Promise.all([current.of(content), current.of(content)]);
    expect(other).toBe(one);
    expect(viewersIn(one)).toBe(VIEWERS);
    await addViewers(lab, content.feed_id, VIEWERS, VIEWERS + 1);
    expect(viewersIn(await current.of(content))).toBe(VIEWERS + 1);
  });

  test('totals of 10,000 viewers are reused for 10 seconds', async () => {
    await using crowded = await openCrowded();
    const { lab, id } = crowded;
    const { experiments, state } = lab.server.service;
    const { content } = experiments.read(id, 'default');
    await addViewers(lab, content.feed_id, VIEWERS, 10_000);
    let now_ms = 0;
    const current = new CurrentTotals(state, () => now_ms);
    expect(viewersIn(await current.of(content))).toBe(10_000);
    await addViewers(lab, content.feed_id, 10_000, 10_001);
    now_ms = 9_999;
    expect(viewersIn(await current.of(content))).toBe(10_000);
    now_ms = 10_000;
    expect(viewersIn(await current.of(content))).toBe(10_001);
  });
});
