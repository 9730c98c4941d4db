import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Running, runService } from '../../../src/cli/run-service.ts';
import { LIMITS } from '../../../src/limits.ts';
import { readSettings } from '../../../src/settings.ts';

/** A scoring function that computes until its budget is used up. */
const PLUGIN = `
  import { definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';
  export default definePlugin({
    meta: { name: 'slow', version: '1.0.0', api: 2 },
    scoring_functions: {
      'slow/all_v1.0.0': defineScoringFunction({
        summary: 'Slow.',
        options: Type.Object({}),
        compile: () => () => {
          const end = performance.now() + ${LIMITS.plugin_budget_ms + 1};
          while (performance.now() < end);
          return () => 1;
        },
      }),
    },
  });
`;

let folder: string;
let running: Running;
const lines: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feedloom-budget-'));
  writeFileSync(join(folder, 'slow.ts'), PLUGIN);
  const settings = { ...readSettings({}), data: join(folder, 'data'), port: 0, api_key: 'key' };
  const log = pino({}, { write: (line: string) => lines.push(line) });
  running = await runService({ ...settings, plugins: join(folder, 'slow.ts') }, 'test', log);
});

afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a plugin that exceeds its time budget causes a warning in the log and is counted in the metrics', async () => {
  for (let page = 0; page < 2; page++) {
    const answer = await fetch(`${running.address}/v2/farcaster/casts/feed/popular`, {
      method: 'POST',
      headers: { 'x-api-key': 'key', 'content-type': 'application/json' },
      body: '{"scoring":"slow/all_v1.0.0"}',
    });
    expect(answer.status).toBe(200);
  }
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ budget_ms }) => budget_ms !== undefined);
  expect(warnings).toMatchObject([
    { level: 40, plugin: 'slow/all_v1.0.0', kind: 'scoring_functions', budget_ms: LIMITS.plugin_budget_ms },
  ]);
  const metrics = await (await fetch(`${running.address}/metrics`)).text();
  const labels = '{community="content",kind="scoring_functions",plugin="slow/all_v1.0.0"}';
  expect(metrics).toContain(`feedloom_plugin_over_budget_total${labels} 1`);
  expect(metrics).toContain(`feedloom_plugin_sampled_pages_total${labels} 1`);
});
