import { expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { LIMITS } from '../../src/limits.ts';
import { AnswerCache } from '../../src/serve/answer-cache.ts';
import { NOW, Scene } from '../support/scene.ts';

/** One account sends many requests with a `request_id`, or a few with large answers. */

const MANY = Array.from({ length: LIMITS.cached_answers_max + 200 }, () => 10);
const LARGE = Array.from({ length: 6 }, () => LIMITS.answer_bytes_max);
/** The other account has sent some requests, too. */
const OTHERS = 20;

test.each([
  ['many answers', MANY],
  ['large answers', LARGE],
])('%s to one account do not displace those to another', async (_, lengths) => {
  const cache = new AnswerCache(new Scene().state, new ManualClock(NOW), { refers: () => false }, 0.7);
  /** Sends a request, and returns whether the answer had to be built. */
  const isBuilt = async (account: string, at: number, length = 10): Promise<boolean> => {
    let built = false;
    await cache.once({ account, key: `${account} ${at}`, digest: 'same' }, async () => {
      built = true;
      return { bytes: new Uint8Array(length), item_ids: [], viewer: undefined, reader: undefined, feeds: [] };
    });
    return built;
  };
  const repeated = async () => {
    const answers: boolean[] = [];
    for (let at = 0; at < OTHERS; at++) answers.push(await isBuilt('reader', at));
    return new Set(answers);
  };
  // The control: without the attack, a repeated request gets the first answer.
  expect(await repeated()).toEqual(new Set([true]));
  expect(await repeated()).toEqual(new Set([false]));
  for (const [at, length] of lengths.entries()) await isBuilt('attacker', at, length);
  expect(await isBuilt('attacker', lengths.length - 1)).toBe(false);
  expect(await isBuilt('attacker', 0)).toBe(true);
  expect(await repeated()).toEqual(new Set([false]));
});
