import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectFits, forAll, openConsole } from './console.ts';
import { LANGUAGES, run } from './programs.ts';
import { MISSING, openStage, type Stage } from './support.ts';

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

  for (const { language, is_missing, why } of LANGUAGES) {
    test.skipIf(is_missing)(
      `shows a program for ${language} that sends data and reads a feed${why}`,
      async () => {
        await using page = await open();
        await page.getByRole('button', { name: language, exact: true }).click();
        const shown = await page.getByRole('region', { name: `Program for ${language}` }).textContent();
        expect(await run(language, shown ?? '')).toContain('post-2');
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
