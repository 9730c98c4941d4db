import { expect, test } from 'bun:test';
import { join } from 'node:path';

const TRAPS = join(import.meta.dir, '../../src/kit/traps.ts');

/** Runs in a process of its own, since the changes of its globals cannot be undone. */
const HOST = `
  const { withoutClock } = await import(${JSON.stringify(TRAPS)});
  Object.defineProperty(crypto, 'randomUUID', { value: () => 'fixed', configurable: false });
  let refused = false;
  try {
    withoutClock(() => 1);
  } catch {
    refused = true;
  }
  console.log(refused, Date.now() > 0, Math.random() < 1, new Date().getTime() > 0);
`;

test('if one function cannot be trapped, no other function stays trapped', async () => {
  const host = Bun.spawn([process.execPath, '-e', HOST], { stdout: 'pipe', stderr: 'inherit' });
  expect(await new Response(host.stdout).text()).toBe('true true true true\n');
  expect(await host.exited).toBe(0);
});
