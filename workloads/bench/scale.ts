import { median } from '../../src/statistics.ts';
import { type Bench, connected, inTurns, ratios } from './context.ts';
import { Driver } from './load.ts';
import { Viewers } from './requests.ts';
import { warmedUp } from './totals.ts';
import { communityOf } from './worlds.ts';

/**
 * Measures the growth of a for-you request's time from a tenth of the world's items to all: `scale_ratio`.
 * @param data data folder of the smaller world, which is written to
 */
export async function measureScale(bench: Bench, data: string): Promise<void> {
  const { world, children, progress, results, service, viewers } = bench;
  const { rounds, turn_ms, warm_up_ms } = world.effort;
  const small = await children.service(data);
  await warmedUp(small.address, progress);
  const small_driver = await Driver.connect(small.address);
  // Connected only now, because the service closes connections that are idle while the smaller one warms up.
  const driver = await connected(service);
  const small_viewers = new Viewers(communityOf(world.tenth));
  progress.begin('growth with the community', rounds * 2);
  await small_driver.full(warm_up_ms, small_viewers.shown('for-you'));
  const time_us = async (server: Driver, next: () => string) =>
    1e6 / (await server.full(turn_ms, next)).per_s;
  const values = await inTurns(progress, rounds, {
    all: () => time_us(driver, viewers.shown('for-you')),
    tenth: () => time_us(small_driver, small_viewers.shown('for-you')),
  });
  driver.close();
  small_driver.close();
  await small.kill();
  results.set('scale_ratio', median(ratios(values.all, values.tenth)));
  results.note('time of a for-you request under full load', [
    [`${world.size.items.toLocaleString('en-US')} items`, `${median(values.all).toFixed(0)} µs`],
    [`${world.tenth.items.toLocaleString('en-US')} items`, `${median(values.tenth).toFixed(0)} µs`],
  ]);
}
