import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { testsWith } from '../support/fixture.ts';
import { type Lab, openLab } from './support.ts';

const VIEWERS = Array.from({ length: 120 }, (_, at) => `viewer-${at}`);

const it = testsWith(async () => {
  const lab = await openLab();
  await lab.items(6);
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right, {
    variants: [
      { name: 'control', feed_id: left, percent: 10 },
      { name: 'other', feed_id: right, percent: 10 },
    ],
  });
  return { lab, id, feed_id: left, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
});

const percents = (control: number, other: number) => ({
  variants: [
    { name: 'control', percent: control },
    { name: 'other', percent: other },
  ],
});

/** The variant of each viewer, who sees a post. */
async function variantsOf(lab: Lab, feed_id: string, viewers = VIEWERS): Promise<(string | undefined)[]> {
  const pages = await Promise.all(
    viewers.map((user_id) => lab.ask('popular', { feed_id, user_id, top_k: 1, impression_count: 1 })),
  );
  return pages.map(({ body }) => body.experiment?.variant);
}

describe('an experiment that grows', () => {
  it('keeps the variant of each viewer, its period and its totals', async ({ lab, id, feed_id }) => {
    const before = await variantsOf(lab, feed_id);
    const counted = before.filter((variant) => variant !== undefined).length;
    expect(counted).toBeGreaterThan(10);
    const { body } = await lab.call('PATCH', `/${id}`, percents(50, 50));
    expect(body.warnings).toBeUndefined();
    const after = await variantsOf(lab, feed_id);
    for (const [at, variant] of before.entries()) expect(after[at]).toBe(variant ?? after[at]);
    expect(after).not.toContain(undefined);
    const { period, results } = await lab.data(id);
    expect([period, results.sample_ratio.ok]).toEqual([1, true]);
    const totals = results.variants.map(({ viewers, pages }: Record<string, number>) => [viewers, pages]);
    expect(totals[0][0] + totals[1][0]).toBe(VIEWERS.length);
    expect(totals[0][1] + totals[1][1]).toBe(VIEWERS.length + counted);
  });

  it('gives the viewers of the end back when it shrinks, and takes the same ones again', async ({
    lab,
    id,
    feed_id,
  }) => {
    await lab.change(id, percents(50, 50));
    const before = await variantsOf(lab, feed_id);
    await lab.change(id, percents(20, 50));
    const between = await variantsOf(lab, feed_id);
    for (const [at, variant] of between.entries()) expect(variant).toBeOneOf([before[at], undefined]);
    expect(between.filter((variant) => variant === 'other')).toEqual(
      before.filter((variant) => variant === 'other'),
    );
    await lab.change(id, percents(50, 50));
    expect(await variantsOf(lab, feed_id)).toEqual(before);
    expect((await lab.viewers(id)).at(-1)).toStartWith(`${VIEWERS.length} without a user record`);
  });

  it('warns if one variant grows alone, whose new viewers have none to be compared with', async ({
    lab,
    id,
  }) => {
    const alone = await lab.call('PATCH', `/${id}`, percents(10, 30));
    expect(alone.body.warnings).toEqual([expect.stringContaining(`only 'other' gets further viewers`)]);
    expect(
      (await lab.call('PATCH', `/${id}`, { ...percents(10, 60), repin: true })).body.warnings,
    ).toBeUndefined();
    expect((await lab.call('PATCH', `/${id}`, percents(10, 20))).body.warnings).toBeUndefined();
  });

  it('ends its period when the percents were changed a hundred times, with the same revisions', async ({
    lab,
    id,
    feed_id,
  }) => {
    await lab.account.set(feed_id, { name: 'Changed' });
    for (let count = 0; count < LIMITS.experiment_percent_changes_max; count++)
      await lab.change(id, percents(10, 20 + (count % 2)));
    const before = await variantsOf(lab, feed_id);
    const { body } = await lab.call('PATCH', `/${id}`, percents(50, 50));
    expect(body.warnings).toEqual([expect.stringContaining('so a new one has begun')]);
    expect(body.data).toMatchObject({ period: 2, pinned: { [feed_id]: 1 } });
    const after = await variantsOf(lab, feed_id);
    for (const [at, variant] of before.entries()) expect(after[at]).toBe(variant ?? after[at]);
  });
});

describe('after other percents', () => {
  /** Lets viewers of the service see a post, of whom some like it. */
  async function visit(lab: Lab, feed_id: string, viewers: readonly string[], likes: number): Promise<void> {
    for (const [at, user_id] of viewers.entries()) {
      const [{ item_id }] = await lab.page('popular', { feed_id, user_id, top_k: 1, impression_count: 1 });
      if (at % 10 < likes) await lab.act(user_id, 'like', item_id);
    }
  }

  it('viewers are compared only with those who had their variants for the same time', async ({
    lab,
    id,
    feed_id,
  }) => {
    await lab.change(id, { ...percents(50, 20), repin: true });
    const viewers = Array.from({ length: 700 }, (_, at) => `reader-${at}`);
    // Everybody likes half of the visits, so viewers who are there for longer like more.
    for (let days = 0; days < 3; days++) {
      await visit(lab, feed_id, viewers, 5);
      lab.server.clock.advance(86_400);
    }
    await lab.change(id, percents(50, 50));
    await visit(lab, feed_id, viewers, 5);
    const { results } = await lab.data(id);
    const like = results.comparison.find(({ metric }: { metric: string }) => metric === 'like');
    const rates = results.variants.map(
      ({ rates }: { rates: { metric: string; value: number }[] }) =>
        rates.find(({ metric }) => metric === 'like')?.value ?? 0,
    );
    // Together, the later viewers of the other variant would make it look much worse.
    expect(rates[1] / rates[0]).toBeLessThan(0.75);
    expect(Math.abs(like.lift)).toBeLessThan(0.15);
    expect(like.decided).toBe(false);
    expect(results.sample_ratio).toMatchObject({ ok: true, p_value: expect.any(Number) });
    await lab.change(id, { status: 'stopped' });
    expect((await lab.data(id)).results).toMatchObject({
      comparison: results.comparison,
      sample_ratio: results.sample_ratio,
    });
  });
});

test('a stopped experiment takes other percents without a warning, and starts with them as one cohort', async () => {
  await using lab = await openLab();
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right);
  await lab.change(id, { status: 'stopped' });
  const { body } = await lab.call('PATCH', `/${id}`, percents(20, 70));
  expect([body.warnings, body.data.period]).toEqual([undefined, 1]);
  expect(await lab.change(id, { status: 'running' })).toMatchObject({ period: 2 });
});
