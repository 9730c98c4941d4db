import type { Children, Server } from './children.ts';
import { Driver } from './load.ts';
import type { Results } from './measures.ts';
import type { Progress } from './progress.ts';
import { feedText, type Viewers } from './requests.ts';
import type { World } from './worlds.ts';

/** What every measurement works with. */
export interface Run {
  world: World;
  children: Children;
  progress: Progress;
  results: Results;
}

/** What a measurement over HTTP works with. */
export interface Bench extends Run {
  /** The service on a copy of the world. */
  service: Server;
  driver: Driver;
  viewers: Viewers;
}

/** A driver that may pause for as long as the service keeps silent connections. */
export async function connected({ address }: Pick<Server, 'address'>): Promise<Driver> {
  const driver = await Driver.connect(address);
  await driver.askOnAll(feedText('popular', {}));
  return driver;
}

/**
 * Lets contenders take turns for some rounds, so that all meet the same machine. Every other round runs backwards:
 * otherwise each would always follow the same one, and meet what that one left behind. One value a round each.
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

/** `one` over `other`, round by round. */
export function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / other[round]);
}
