import { test } from 'bun:test';
import { relative } from 'node:path';
import fc, { type Arbitrary, type IAsyncProperty, type IProperty, type RunDetails } from 'fast-check';
import { REPOSITORY } from './feedloom.ts';

/**
 * Factor for repetitions, relative to the default suite. `bun run test:long` sets it and runs every file that imports
 * this one.
 */
const FACTOR = Number(Bun.env.FEEDLOOM_TEST_LONG ?? 1);

/** Inputs of a property in a long run, relative to other repetitions. They can be many, as its time is limited. */
const INPUTS = 4;

/**
 * After this time a property tries no further inputs. A slow machine tries fewer, and a failure shows its
 * counterexample as far as it was shrunk, not only the timeout of its test.
 */
const PROPERTY_MS_MAX = 25_000;

/** After this time a property tries no more inputs than in the default suite. */
const PROPERTY_MS = Number(Bun.env.FEEDLOOM_PROPERTY_SECONDS ?? 25) * 1000;

/** Timeout of one input of an asynchronous property, so that the input of a wait without end is shown. */
const INPUT_MS = 25_000;

/** An input that failed, `LINE/SEED/PATH`: where its property is checked, and how fast-check finds it. */
const [LINE, SEED, PATH] = Bun.env.FEEDLOOM_PROPERTY?.split('/') ?? [];

/** Number of repetitions: the given one in the default suite, several times more in a long run. */
export function times(count: number, in_long_run = count * FACTOR): number {
  return FACTOR > 1 ? Math.round(in_long_run) : count;
}

/** The line of a test that checks a property. */
interface Place {
  file: string;
  line: string;
}

/** A frame whose last call is `check` itself is not on the stack, so `tidy.test.ts` forbids such calls. */
function placeOfCall(): Place {
  const frames = [...(new Error().stack ?? '').matchAll(/\(?(\/[^():]+):(\d+):\d+\)?$/gm)].map(
    ([, path = '', line = '']) => ({ file: relative(REPOSITORY, path), line }),
  );
  return frames.findLast(({ file }) => file.endsWith('.test.ts')) ?? { file: 'test', line: '' };
}

/**
 * The same property, which ends its run instead of trying an input after the time limit.
 * @param count number of inputs in the default suite
 */
function withinTime<P extends IProperty<unknown> | IAsyncProperty<unknown>>(property: P, count: number): P {
  const start = performance.now();
  let tried = 0;
  const run = (input: never) => {
    const limit = tried++ < count ? Math.max(PROPERTY_MS, PROPERTY_MS_MAX) : PROPERTY_MS;
    return performance.now() - start > limit ? new fc.PreconditionFailure(true) : property.run(input);
  };
  return Object.create(property, { run: { value: run } });
}

function report<T>({ file, line }: Place, details: RunDetails<T>): void {
  const { numRuns, seed, counterexamplePath } = details;
  if (details.interrupted) console.warn(`${file}:${line} tried only ${numRuns} inputs in time`);
  if (!details.failed) return;
  const input = `FEEDLOOM_PROPERTY=${line}/${seed}/${counterexamplePath ?? ''}`;
  const again = `${input} bun test --timeout 60000 ${file}`;
  throw new Error(`${fc.defaultReportMessage(details)}\nAgain: ${again}`);
}

/** Arbitraries by the inputs that they make. */
type Inputs<T extends unknown[]> = { [K in keyof T]: Arbitrary<T[K]> };

/** A property does not hold of an input for which this is false, or that throws. */
// biome-ignore lint/suspicious/noConfusingVoidType: most predicates return nothing
type Verdict = boolean | void;

function assertion<T>(count: number, seed?: number): Parameters<typeof fc.assert<T>>[1] {
  const place = placeOfCall();
  const repeats = LINE === place.line;
  return {
    numRuns: times(count, count * FACTOR * INPUTS),
    // Bun does not print the cause of an error in every test.
    includeErrorInReport: true,
    timeout: INPUT_MS,
    reporter: (details) => report(place, details),
    ...(seed !== undefined && { seed }),
    ...(repeats && { seed: Number(SEED), path: PATH, endOnFailure: true }),
  };
}

/**
 * Checks a property with random inputs. A failure shows the counterexample, and the command that tries it again.
 * @param count number of inputs in the default suite; several times more in a long run
 * @throws Error when the property does not hold
 */
export function check<T extends [unknown, ...unknown[]]>(
  count: number,
  inputs: Inputs<T>,
  holds: (...input: T) => Verdict,
): void {
  fc.assert(withinTime(fc.property<T>(...inputs, holds), count), assertion(count));
}

/** Like `check`, of a property that takes time. */
export async function checkAsync<T extends [unknown, ...unknown[]]>(
  count: number,
  inputs: Inputs<T>,
  holds: (...input: T) => Promise<Verdict>,
  seed?: number,
): Promise<void> {
  await fc.assert(withinTime(fc.asyncProperty<T>(...inputs, holds), count), assertion(count, seed));
}

/** Like `checkAsync`, but with the same inputs in every default run: for tests that require that certain cases occur. */
export async function checkCovering<T extends [unknown, ...unknown[]]>(
  count: number,
  inputs: Inputs<T>,
  holds: (...input: T) => Promise<Verdict>,
): Promise<void> {
  await checkAsync(count, inputs, holds, FACTOR > 1 ? undefined : 1);
}

/** A test that only long runs execute. */
export function longTest(name: string, body: () => Promise<void>, timeout_ms?: number): void {
  if (FACTOR > 1) test(name, body, timeout_ms);
  else test.skip(`${name} (skipped: bun run test:long)`, body);
}
