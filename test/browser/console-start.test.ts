import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { withFolder } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { expectFits, forAll, openConsole } from './console.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

const CLIENT = join(REPOSITORY, 'openapi/client/src/index.ts');

/** How each program is run, and the tool that it needs. */
const RUNS = [
  { language: 'curl', file: 'program.sh', command: ['sh', 'program.sh'], tool: 'curl' },
  { language: 'TypeScript', file: 'program.ts', command: [process.execPath, 'program.ts'], tool: 'sh' },
  { language: 'Python', file: 'program.py', command: ['python3', 'program.py'], tool: 'python3' },
];

describe.skipIf(MISSING !== '')(`the first run of the console${MISSING}`, () => {
  let stage: Stage;
  forAll(async () => {
    stage = await openStage({}, async () => {});
    return stage;
  });

  async function open(): Promise<Page> {
    const page = await openConsole(stage, '#/start');
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    return page;
  }

  test('is accessible, and fits a phone', async () => {
    await using page = await open();
    await page.getByRole('button', { name: 'Open the demo community' }).waitFor();
    await expectFits(page);
  });

  test('loads the demo community by one press, once, and goes to the feeds', async () => {
    await using page = await open();
    await page.getByRole('button', { name: 'Open the demo community' }).click();
    await page.getByText(/The demo community is there: \d+ users and \d+ posts/).waitFor();
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor();
    expect(stage.running.service.state.items.size).toBeGreaterThan(0);
    await page.goBack();
    await page.getByText('The service has data already').waitFor();
  });

  test('says why the demo community was not loaded', async () => {
    await using page = await open();
    await stage.context.route('**/readyz', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), applied_seq: 0 } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Open the demo community' }).click();
    await page.getByText('the demo community is only loaded into an empty one').waitFor();
    await stage.context.unroute('**/readyz');
    stage.errors.length = 0;
  });

  for (const { language, file, command, tool } of RUNS) {
    const is_missing = Bun.which(tool) === null;
    const why = is_missing ? ` (skipped: there is no ${tool})` : '';
    test.skipIf(is_missing)(
      `shows a program for ${language} that sends data and reads a feed${why}`,
      async () => {
        await using page = await open();
        await page.getByRole('button', { name: language, exact: true }).click();
        const shown = await page.getByRole('region', { name: `Program for ${language}` }).textContent();
        const program = (shown ?? '').replace('feedloom-client', CLIENT);
        await withFolder({ [file]: program }, async (folder) => {
          const child = Bun.spawn(command, {
            cwd: folder,
            env: environment({ FEEDLOOM_KEY: KEY }),
            stdout: 'pipe',
            stderr: 'pipe',
          });
          const [printed, failed] = await Promise.all([
            new Response(child.stdout).text(),
            new Response(child.stderr).text(),
          ]);
          expect({ failed, code: await child.exited }).toEqual({ failed: '', code: 0 });
          expect(printed).toContain('post-2');
        });
      },
    );
  }

  test('copies a program with the keyboard', async () => {
    await stage.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await using page = await open();
    await page.getByRole('button', { name: 'Copy: Program for curl' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`${stage.running.address}/v2/community`);
  });
});
