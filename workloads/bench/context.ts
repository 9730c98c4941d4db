import type { Children, Server } from './children.ts';
import { Driver } from './load.ts';
import type { Results } from './measures.ts';
import type { Progress } from './progress.ts';
import { feedText, type Viewers } from './requests.ts';
import type { World } from './worlds.ts';

/** The context of every measurement. */
export interface Run {
  world: World;
  children: Children;
  progress: Progress;
  results: Results;
}

/** The context of measurements over HTTP. */
export interface Bench extends Run {
  /** The service on a copy of the world. */
  service: Server;
  driver: Driver;
  viewers: Viewers;
}

/** A driver that may pause for as long as the service keeps idle connections open. */
export async function connected({ address }: Pick<Server, 'address'>): Promise<Driver> {
  const driver = await Driver.connect(address);
  await driver.askOnAll(feedText('popular', {}));
  return driver;
}

/**
 * Runs contenders in turns for some rounds, so that all run under the same conditions. Returns one value per round.
 *
 * Every other round runs backwards. Otherwise each contender would always follow the same one and be affected by it.
 */
export async function inTurns<Name extends string, Value>(
  progress: Progress,
  rounds: number,
  contenders: Record<Name, () => Promise<Value>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(contenders) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      values[name].push(await contenders[name]());
      progress.advance();
    }
  }
  return values;
}

/** The quotients of two lists, round by round. */
export function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / other[round]);
}
