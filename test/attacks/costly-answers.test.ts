import { afterAll, expect, test } from 'bun:test';
import { killAll } from '../simulation/support/service-process.ts';
import { compare, RATIO_MAX } from './support/compare.ts';
import { Stage } from './support/stage.ts';

/** Answers that take long to build and that any caller may request repeatedly. */

afterAll(killAll);

const AT_ONCE = 16;
/** Maximum number of requests per round. */
const REQUESTS_MAX = 20_000;

test.each([
  ['/metrics', '/swagger/start.js'],
  ['/swagger/json', '/swagger/swagger-ui.css'],
])(
  'many requests for %s slow down others no more than requests for the file %s',
  async (costly, harmless) => {
    await using stage = await Stage.open();
    const ask = (path: string) => async (_: Stage, going: AbortSignal) => {
      let asked = 0;
      const askOn = async () => {
        while (!going.aborted && asked++ < REQUESTS_MAX)
          await (await fetch(`${stage.address}${path}`)).arrayBuffer();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, askOn));
    };
    const { ratio } = await compare(stage, ask(costly), ask(harmless));
    expect(ratio).toBeLessThanOrEqual(RATIO_MAX);
  },
);
