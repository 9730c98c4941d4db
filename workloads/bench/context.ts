import type { Children, Server } from './children.ts';
import type { Driver } from './load.ts';
import type { Results } from './measures.ts';
import type { Progress } from './progress.ts';
import type { Viewers } from './requests.ts';
import type { World } from './worlds.ts';

/** What a measurement over HTTP works with. */
export interface Bench {
  world: World;
  children: Children;
  progress: Progress;
  results: Results;
  /** The service on a copy of the world. */
  service: Server;
  driver: Driver;
  viewers: Viewers;
}

/** Lets contenders take turns for some rounds, so that all meet the same machine. One value a round each. */
export async function inTurns<Name extends string>(
  progress: Progress,
  rounds: number,
  contenders: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
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
