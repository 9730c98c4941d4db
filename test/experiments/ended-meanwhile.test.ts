import { expect, test } from 'bun:test';
import { readResults } from '../../src/experiments/results.ts';
import { viewersCsv } from '../../src/experiments/viewers-csv.ts';
import { type Lab, openLab } from './support.ts';

const VIEWERS = 5_000;

/** A running experiment with so many viewers that reading them pauses. */
async function openCrowded(): Promise<{ lab: Lab; id: string } & AsyncDisposable> {
  const lab = await openLab();
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right);
  const users = Array.from({ length: VIEWERS }, (_, at) => ({ user_id: `viewer-${at}` }));
  await lab.add('users', ...users);
  const { experiments, state } = lab.server.service;
  const { names } = state.users;
  for (const { user_id } of users) {
    const arm = experiments.variantOf(left, user_id)?.variant.arm;
    const stamp = { kind: 'impression', seq: 0, timestamp: lab.now, applied_at: lab.now } as const;
    const user = names.key(names.find(user_id));
    state.experiments.countPage({ ...stamp, user, arm, is_short: 0, items: new Uint32Array([1]) });
  }
  return { lab, id, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
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
